// CudaLibrary: the functions of NVIDIA's driver library that hone calls, found at run time. A member is named like its
// function without "cu" and version ("cuMemAlloc_v2" is mem_alloc); the table in cuda_library.cc has one row for each.
// Sizes are bytes, addresses are the device's. Calls act on the calling thread's current context.
//
// Ownership: plain pointers into a library that stays loaded; copy at will. Failure: `open` answers environment with
// what to type when there is no driver; `check` turns a status into an Error with the driver's name for it. It must not
// be opened in a process that has to survive a broken driver (device/accelerators.h asks a child).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/cuda/cuda_types.h"

namespace hone::device::cuda {

struct CudaLibrary {
  static Result<CudaLibrary> open(const std::vector<std::string>& files = {"libcuda.so.1"});

  // `doing` is what was tried, in words that go after "cannot": "load the module".
  Status check(CudaStatus status, std::string_view doing) const;
  // "CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is detected"
  std::string name_of(CudaStatus status) const;

  std::string path;

  CudaStatus (*init)(uint32_t flags) = nullptr;
  CudaStatus (*driver_get_version)(int32_t* version) = nullptr;  // 1000·major + 10·minor
  CudaStatus (*get_error_name)(CudaStatus status, const char** name) = nullptr;
  CudaStatus (*get_error_string)(CudaStatus status, const char** text) = nullptr;

  CudaStatus (*device_get_count)(int32_t* count) = nullptr;
  CudaStatus (*device_get)(DeviceOrdinal* device, int32_t index) = nullptr;
  CudaStatus (*device_get_name)(char* name, int32_t capacity, DeviceOrdinal device) = nullptr;
  CudaStatus (*device_get_uuid)(Uuid* uuid, DeviceOrdinal device) = nullptr;
  CudaStatus (*device_total_mem)(size_t* bytes, DeviceOrdinal device) = nullptr;
  CudaStatus (*device_get_attribute)(int32_t* value, DeviceAttribute attribute, DeviceOrdinal device) = nullptr;

  CudaStatus (*ctx_create)(Context* context, uint32_t flags, DeviceOrdinal device) = nullptr;
  CudaStatus (*ctx_destroy)(Context context) = nullptr;
  CudaStatus (*ctx_set_current)(Context context) = nullptr;
  CudaStatus (*ctx_synchronize)() = nullptr;
  CudaStatus (*ctx_get_limit)(size_t* value, ContextLimit limit) = nullptr;
  CudaStatus (*ctx_set_limit)(ContextLimit limit, size_t value) = nullptr;
  CudaStatus (*ctx_reset_persisting_l2_cache)() = nullptr;

  CudaStatus (*module_load_data)(Module* module, const void* image) = nullptr;
  CudaStatus (*module_load_data_ex)(Module* module, const void* image, uint32_t count, JitOption* options,
                                    void** values) = nullptr;
  CudaStatus (*module_unload)(Module module) = nullptr;
  CudaStatus (*module_get_function)(Function* function, Module module, const char* name) = nullptr;
  CudaStatus (*module_get_global)(DeviceAddress* address, size_t* bytes, Module module, const char* name) = nullptr;

  CudaStatus (*func_get_attribute)(int32_t* value, FunctionAttribute attribute, Function function) = nullptr;
  CudaStatus (*func_set_attribute)(Function function, FunctionAttribute attribute, int32_t value) = nullptr;
  // Optional (driver 12.4): where a parameter lies in the parameter block; invalid_value past the last one.
  CudaStatus (*func_get_param_info)(Function function, size_t index, size_t* offset, size_t* bytes) = nullptr;
  CudaStatus (*func_get_name)(const char** name, Function function) = nullptr;  // optional (driver 12.3)
  CudaStatus (*occupancy_max_active_blocks)(int32_t* blocks, Function function, int32_t threads_per_block,
                                            size_t dynamic_shared_bytes) = nullptr;  // per multiprocessor

  CudaStatus (*mem_get_info)(size_t* free_bytes, size_t* total_bytes) = nullptr;
  CudaStatus (*mem_alloc)(DeviceAddress* address, size_t bytes) = nullptr;
  CudaStatus (*mem_free)(DeviceAddress address) = nullptr;
  CudaStatus (*memcpy_host_to_device_async)(DeviceAddress to, const void* from, size_t bytes, Stream stream) = nullptr;
  CudaStatus (*memcpy_device_to_host_async)(void* to, DeviceAddress from, size_t bytes, Stream stream) = nullptr;
  CudaStatus (*memcpy_device_to_device_async)(DeviceAddress to, DeviceAddress from, size_t bytes,
                                              Stream stream) = nullptr;
  CudaStatus (*memset_d8_async)(DeviceAddress to, uint8_t value, size_t count, Stream stream) = nullptr;
  CudaStatus (*memset_d32_async)(DeviceAddress to, uint32_t value, size_t count, Stream stream) = nullptr;

  CudaStatus (*mem_host_alloc)(void** address, size_t bytes, uint32_t flags) = nullptr;
  CudaStatus (*mem_free_host)(void* address) = nullptr;
  CudaStatus (*mem_host_register)(void* address, size_t bytes, uint32_t flags) = nullptr;
  CudaStatus (*mem_host_unregister)(void* address) = nullptr;
  CudaStatus (*mem_host_get_device_pointer)(DeviceAddress* device, void* host, uint32_t flags) = nullptr;

  CudaStatus (*mem_get_allocation_granularity)(size_t* bytes, const AllocationProperties* properties,
                                               Granularity granularity) = nullptr;
  CudaStatus (*mem_address_reserve)(DeviceAddress* address, size_t bytes, size_t alignment, DeviceAddress wanted,
                                    unsigned long long flags) = nullptr;
  CudaStatus (*mem_address_free)(DeviceAddress address, size_t bytes) = nullptr;
  CudaStatus (*mem_create)(MemoryHandle* handle, size_t bytes, const AllocationProperties* properties,
                           unsigned long long flags) = nullptr;
  CudaStatus (*mem_release)(MemoryHandle handle) = nullptr;
  CudaStatus (*mem_map)(DeviceAddress address, size_t bytes, size_t offset, MemoryHandle handle,
                        unsigned long long flags) = nullptr;
  CudaStatus (*mem_unmap)(DeviceAddress address, size_t bytes) = nullptr;
  CudaStatus (*mem_set_access)(DeviceAddress address, size_t bytes, const AccessDescription* descriptions,
                               size_t count) = nullptr;

  CudaStatus (*stream_create)(Stream* stream, uint32_t flags) = nullptr;
  CudaStatus (*stream_destroy)(Stream stream) = nullptr;
  CudaStatus (*stream_synchronize)(Stream stream) = nullptr;
  CudaStatus (*stream_query)(Stream stream) = nullptr;  // not_ready: still running

  CudaStatus (*event_create)(Event* event, uint32_t flags) = nullptr;
  CudaStatus (*event_destroy)(Event event) = nullptr;
  CudaStatus (*event_record)(Event event, Stream stream) = nullptr;
  CudaStatus (*event_query)(Event event) = nullptr;
  CudaStatus (*event_synchronize)(Event event) = nullptr;
  CudaStatus (*event_elapsed_time)(float* milliseconds, Event start, Event end) = nullptr;

  CudaStatus (*launch_kernel)(Function function, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z, uint32_t block_x,
                              uint32_t block_y, uint32_t block_z, uint32_t dynamic_shared_bytes, Stream stream,
                              void** parameters, void** extra) = nullptr;
  // Optional (driver 11.8): clusters and cooperative launches.
  CudaStatus (*launch_kernel_ex)(const LaunchConfig* config, Function function, void** parameters,
                                 void** extra) = nullptr;
  // Optional (driver 12.0). `strides` are bytes and leave out the innermost dimension.
  CudaStatus (*tensor_map_encode_tiled)(TensorMap* map, TensorDType dtype, uint32_t rank, void* address,
                                        const uint64_t* dims, const uint64_t* strides, const uint32_t* box_dims,
                                        const uint32_t* element_strides, TensorInterleave interleave,
                                        TensorSwizzle swizzle, TensorL2Promotion promotion,
                                        TensorOutOfBounds out_of_bounds) = nullptr;
};

}  // namespace hone::device::cuda
