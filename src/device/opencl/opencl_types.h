// The types and numbers of OpenCL 1.2 that hone uses, in our own declarations: the binary interface of libOpenCL.so.1
// on 64-bit Linux, names ours. Source of the numbers: the OpenCL 1.2 specification and, where said, vendor extensions.
// Plain values, no ownership.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/enums.h"

namespace hone::device::opencl {

// What calls answer; the names are the specification's without "CL_".
enum class ClStatus : int32_t {
  success = 0,
  device_not_found = -1,
  device_not_available = -2,
  compiler_not_available = -3,
  mem_object_allocation_failure = -4,
  out_of_resources = -5,
  out_of_host_memory = -6,
  profiling_info_not_available = -7,
  build_program_failure = -11,
  misaligned_sub_buffer_offset = -13,
  exec_status_error_for_events = -14,
  kernel_arg_info_not_available = -19,
  invalid_value = -30,
  invalid_platform = -32,
  invalid_device = -33,
  invalid_context = -34,
  invalid_command_queue = -36,
  invalid_mem_object = -38,
  invalid_binary = -42,
  invalid_build_options = -43,
  invalid_program = -44,
  invalid_program_executable = -45,
  invalid_kernel_name = -46,
  invalid_kernel_definition = -47,
  invalid_kernel = -48,
  invalid_arg_index = -49,
  invalid_arg_value = -50,
  invalid_arg_size = -51,
  invalid_kernel_args = -52,
  invalid_work_dimension = -53,
  invalid_work_group_size = -54,
  invalid_work_item_size = -55,
  invalid_event = -58,
  invalid_operation = -59,
  invalid_buffer_size = -61,
  invalid_global_work_size = -63,
  platform_not_found = -1001,  // of the loader: no platform is installed
};

using Platform = struct PlatformObject*;
using Device = struct DeviceObject*;
using Context = struct ContextObject*;
using Queue = struct QueueObject*;
using Memory = struct MemoryObject*;
using Program = struct ProgramObject*;
using Kernel = struct KernelObject*;
using Event = struct EventObject*;

using Flags = uint64_t;
using Property = intptr_t;
enum class Bool : uint32_t { no = 0, yes = 1 };

enum class PlatformInfo : uint32_t { profile = 0x900, version, name, vendor, extensions };

// Bits of DeviceInfo::type and of get_device_ids.
inline constexpr Flags k_device_cpu = 1 << 1;
inline constexpr Flags k_device_gpu = 1 << 2;
inline constexpr Flags k_device_accelerator = 1 << 3;
inline constexpr Flags k_device_all = 0xffffffff;

enum class DeviceInfo : uint32_t {
  type = 0x1000,                // Flags
  vendor_id = 0x1001,           // uint32_t
  compute_units = 0x1002,       // uint32_t
  work_group_size = 0x1004,     // size_t, the largest
  work_item_sizes = 0x1005,     // size_t a dimension, the largest of a work-group
  clock_mhz = 0x100c,           // uint32_t
  max_alloc_bytes = 0x1010,     // uint64_t
  address_align_bits = 0x1019,  // uint32_t, of sub-buffers
  cache_bytes = 0x101e,         // uint64_t, of global memory
  memory_bytes = 0x101f,        // uint64_t
  constant_bytes = 0x1020,      // uint64_t
  local_bytes = 0x1023,         // uint64_t
  timer_ns = 0x1025,            // size_t, what an event's time is a multiple of
  available = 0x1027,           // Bool
  compiler_available = 0x1028,  // Bool
  name = 0x102b,                // text, as all that follow unless said
  vendor = 0x102c,
  driver_version = 0x102d,
  version = 0x102f,
  extensions = 0x1030,
  host_unified_memory = 0x1035,  // Bool
  opencl_c_version = 0x103d,
  svm_capabilities = 0x1053,         // Flags, from OpenCL 2.0 on
  uuid = 0x106a,                     // 16 bytes, with cl_khr_device_uuid
  nvidia_capability_major = 0x4000,  // uint32_t, with cl_nv_device_attribute_query, as the three that follow
  nvidia_capability_minor = 0x4001,
  nvidia_registers_per_block = 0x4002,
  nvidia_warp_size = 0x4003,
  amd_board_name = 0x4038,       // text, with cl_amd_device_attribute_query, as the next
  amd_wavefront_width = 0x4043,  // uint32_t
};

// Of DeviceInfo::svm_capabilities: kernels reach every pointer of the host.
inline constexpr Flags k_svm_fine_grain_system = 1 << 2;

inline constexpr Property k_context_platform = 0x1084;
inline constexpr Flags k_queue_profiling = 1 << 1;

// Bits of create_buffer.
inline constexpr Flags k_mem_read_write = 1 << 0;
inline constexpr Flags k_mem_write_only = 1 << 1;
inline constexpr Flags k_mem_read_only = 1 << 2;
inline constexpr Flags k_mem_use_host_ptr = 1 << 3;
inline constexpr Flags k_mem_alloc_host_ptr = 1 << 4;
inline constexpr Flags k_mem_copy_host_ptr = 1 << 5;

inline constexpr uint32_t k_buffer_region = 0x1220;
struct BufferRegion {
  size_t origin_bytes = 0;
  size_t size_bytes = 0;
};

enum class ProgramInfo : uint32_t {
  device_count = 0x1162,
  devices = 0x1163,
  binary_sizes = 0x1165,  // size_t a device
  binaries = 0x1166,      // unsigned char* a device
  kernel_count = 0x1167,  // size_t
  kernel_names = 0x1168,  // text, separated by ';'
};
enum class BuildInfo : uint32_t { status = 0x1181, options = 0x1182, log = 0x1183 };

enum class KernelInfo : uint32_t { name = 0x1190, arg_count = 0x1191 };
enum class KernelArgInfo : uint32_t {
  address_qualifier = 0x1196,  // AddressQualifier
  access_qualifier = 0x1197,
  type_name = 0x1198,       // text
  type_qualifier = 0x1199,  // Flags
  name = 0x119a,            // text
};
enum class AddressQualifier : uint32_t { global = 0x119b, local = 0x119c, constant = 0x119d, private_ = 0x119e };
inline constexpr Flags k_arg_const = 1 << 0;
inline constexpr Flags k_arg_restrict = 1 << 1;
inline constexpr Flags k_arg_volatile = 1 << 2;

enum class WorkGroupInfo : uint32_t {
  work_group_size = 0x11b0,      // size_t
  declared_work_group = 0x11b1,  // size_t[3], zeros when not declared
  local_bytes = 0x11b2,          // uint64_t
  preferred_multiple = 0x11b3,   // size_t
  private_bytes = 0x11b4,        // uint64_t a work-item
};

enum class EventInfo : uint32_t { execution_status = 0x11d3 };  // int32_t: below 0 the ClStatus it failed with
inline constexpr int32_t k_event_complete = 0;

enum class ProfilingInfo : uint32_t { queued = 0x1280, submit = 0x1281, start = 0x1282, end = 0x1283 };  // uint64_t ns

}  // namespace hone::device::opencl

namespace hone {
template <>
struct EnumNames<device::opencl::ClStatus> {
  using T = device::opencl::ClStatus;
  static constexpr EnumName<T> table[] = {
      {T::success, "SUCCESS"},
      {T::device_not_found, "DEVICE_NOT_FOUND"},
      {T::device_not_available, "DEVICE_NOT_AVAILABLE"},
      {T::compiler_not_available, "COMPILER_NOT_AVAILABLE"},
      {T::mem_object_allocation_failure, "MEM_OBJECT_ALLOCATION_FAILURE"},
      {T::out_of_resources, "OUT_OF_RESOURCES"},
      {T::out_of_host_memory, "OUT_OF_HOST_MEMORY"},
      {T::profiling_info_not_available, "PROFILING_INFO_NOT_AVAILABLE"},
      {T::build_program_failure, "BUILD_PROGRAM_FAILURE"},
      {T::misaligned_sub_buffer_offset, "MISALIGNED_SUB_BUFFER_OFFSET"},
      {T::exec_status_error_for_events, "EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
      {T::kernel_arg_info_not_available, "KERNEL_ARG_INFO_NOT_AVAILABLE"},
      {T::invalid_value, "INVALID_VALUE"},
      {T::invalid_platform, "INVALID_PLATFORM"},
      {T::invalid_device, "INVALID_DEVICE"},
      {T::invalid_context, "INVALID_CONTEXT"},
      {T::invalid_command_queue, "INVALID_COMMAND_QUEUE"},
      {T::invalid_mem_object, "INVALID_MEM_OBJECT"},
      {T::invalid_binary, "INVALID_BINARY"},
      {T::invalid_build_options, "INVALID_BUILD_OPTIONS"},
      {T::invalid_program, "INVALID_PROGRAM"},
      {T::invalid_program_executable, "INVALID_PROGRAM_EXECUTABLE"},
      {T::invalid_kernel_name, "INVALID_KERNEL_NAME"},
      {T::invalid_kernel_definition, "INVALID_KERNEL_DEFINITION"},
      {T::invalid_kernel, "INVALID_KERNEL"},
      {T::invalid_arg_index, "INVALID_ARG_INDEX"},
      {T::invalid_arg_value, "INVALID_ARG_VALUE"},
      {T::invalid_arg_size, "INVALID_ARG_SIZE"},
      {T::invalid_kernel_args, "INVALID_KERNEL_ARGS"},
      {T::invalid_work_dimension, "INVALID_WORK_DIMENSION"},
      {T::invalid_work_group_size, "INVALID_WORK_GROUP_SIZE"},
      {T::invalid_work_item_size, "INVALID_WORK_ITEM_SIZE"},
      {T::invalid_event, "INVALID_EVENT"},
      {T::invalid_operation, "INVALID_OPERATION"},
      {T::invalid_buffer_size, "INVALID_BUFFER_SIZE"},
      {T::invalid_global_work_size, "INVALID_GLOBAL_WORK_SIZE"},
      {T::platform_not_found, "PLATFORM_NOT_FOUND"},
  };
};
}  // namespace hone
