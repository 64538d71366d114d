// HipLibrary: the functions of AMD's HIP run time that hone calls, found at run time. A member is named like its
// function without "hip" ("hipModuleLoadData" is module_load_data). Calls act on the calling thread's current device.
// Nobody has run this on an AMD device yet: it is written from the interface's documentation and tested against a
// stand-in.
//
// Ownership: plain pointers into a library that stays loaded. Failure: environment, with what to type; `check` names a
// status. It must not be opened in a process that has to survive a broken driver (device/accelerators.h asks a child).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/hip/hip_types.h"

namespace hone::device::hip {

struct HipLibrary {
  static Result<HipLibrary> open(const std::vector<std::string>& files = {"libamdhip64.so", "libamdhip64.so.7",
                                                                          "libamdhip64.so.6", "libamdhip64.so.5",
                                                                          "/opt/rocm/lib/libamdhip64.so"});

  // `doing` is what was tried, in words that go after "cannot": "load the module".
  Status check(HipStatus status, std::string_view doing) const;
  // "hipErrorNoDevice (100): no ROCm-capable device is detected"
  std::string name_of(HipStatus status) const;

  std::string path;

  HipStatus (*init)(uint32_t flags) = nullptr;
  HipStatus (*driver_get_version)(int32_t* version) = nullptr;  // 10 000 000 · major + 100 000 · minor + patch
  const char* (*get_error_name)(HipStatus status) = nullptr;
  const char* (*get_error_string)(HipStatus status) = nullptr;

  HipStatus (*get_device_count)(int32_t* count) = nullptr;
  HipStatus (*device_get)(int32_t* device, int32_t index) = nullptr;
  HipStatus (*device_get_name)(char* name, int32_t capacity, int32_t device) = nullptr;
  HipStatus (*device_get_uuid)(HipUuid* uuid, int32_t device) = nullptr;  // optional: HIP 5.2
  HipStatus (*device_total_mem)(size_t* bytes, int32_t device) = nullptr;
  HipStatus (*device_get_attribute)(int32_t* value, HipAttribute attribute, int32_t index) = nullptr;
  HipStatus (*get_device_properties)(HipProperties* properties, int32_t index) = nullptr;  // optional: HIP 6

  HipStatus (*set_device)(int32_t index) = nullptr;
  HipStatus (*set_device_flags)(uint32_t flags) = nullptr;
  HipStatus (*device_reset)() = nullptr;  // frees all that this process has on it

  HipStatus (*module_load_data)(Module* module, const void* image) = nullptr;
  HipStatus (*module_unload)(Module module) = nullptr;
  HipStatus (*module_get_function)(Function* function, Module module, const char* name) = nullptr;
  HipStatus (*occupancy_max_active_blocks)(int32_t* blocks, Function function, int32_t threads_per_block,
                                           size_t dynamic_shared_bytes) = nullptr;  // per multiprocessor; optional

  HipStatus (*malloc)(DeviceAddress* address, size_t bytes) = nullptr;
  HipStatus (*free)(DeviceAddress address) = nullptr;
  HipStatus (*host_malloc)(void** address, size_t bytes, uint32_t flags) = nullptr;
  // From memory that is not pinned it has copied when it returns.
  HipStatus (*memcpy_host_to_device_async)(DeviceAddress to, const void* from, size_t bytes, Stream stream) = nullptr;
  HipStatus (*memcpy_device_to_host_async)(void* to, DeviceAddress from, size_t bytes, Stream stream) = nullptr;

  // Optional, all of them together: HIP 5.2, and not on every device.
  HipStatus (*mem_get_allocation_granularity)(size_t* bytes, const AllocationProperties* properties,
                                              Granularity granularity) = nullptr;
  HipStatus (*mem_address_reserve)(DeviceAddress* address, size_t bytes, size_t alignment, DeviceAddress wanted,
                                   unsigned long long flags) = nullptr;
  HipStatus (*mem_address_free)(DeviceAddress address, size_t bytes) = nullptr;
  HipStatus (*mem_create)(MemoryHandle* handle, size_t bytes, const AllocationProperties* properties,
                          unsigned long long flags) = nullptr;
  HipStatus (*mem_release)(MemoryHandle handle) = nullptr;
  HipStatus (*mem_map)(DeviceAddress address, size_t bytes, size_t offset, MemoryHandle handle,
                       unsigned long long flags) = nullptr;
  HipStatus (*mem_unmap)(DeviceAddress address, size_t bytes) = nullptr;
  HipStatus (*mem_set_access)(DeviceAddress address, size_t bytes, const AccessDescription* descriptions,
                              size_t count) = nullptr;

  HipStatus (*stream_create)(Stream* stream, uint32_t flags) = nullptr;
  HipStatus (*stream_synchronize)(Stream stream) = nullptr;

  HipStatus (*event_create)(Event* event, uint32_t flags) = nullptr;
  HipStatus (*event_record)(Event event, Stream stream) = nullptr;
  HipStatus (*event_synchronize)(Event event) = nullptr;
  HipStatus (*event_elapsed_time)(float* milliseconds, Event start, Event end) = nullptr;

  // Grid in blocks, block in threads.
  HipStatus (*launch_kernel)(Function function, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z, uint32_t block_x,
                             uint32_t block_y, uint32_t block_z, uint32_t dynamic_shared_bytes, Stream stream,
                             void** parameters, void** extra) = nullptr;
  HipStatus (*launch_cooperative_kernel)(Function function, uint32_t grid_x, uint32_t grid_y, uint32_t grid_z,
                                         uint32_t block_x, uint32_t block_y, uint32_t block_z,
                                         uint32_t dynamic_shared_bytes, Stream stream,
                                         void** parameters) = nullptr;  // optional
};

// How hone names the device of that index: as the rest of AMD's tools write its UUID; by its index where the run time
// has none.
std::string uuid_of(const HipLibrary& hip, int32_t index);
// "gfx942" of "gfx942:sramecc+:xnack-"; empty where the run time is older than HIP 6.
std::string arch_of(const HipLibrary& hip, int32_t index);
// "HIP 6.3"
Result<std::string> version_of(const HipLibrary& hip);

}  // namespace hone::device::hip
