// The types of the CUDA driver interface that hone uses, in our own declarations: sizes, alignments and numbers are the
// binary interface of libcuda.so.1 on 64-bit Linux, the names are ours. Only what is used is here; a value outside an
// enum's list may come back and is kept. Source of the numbers: the interface's documentation; checked against driver
// interface 13.0. Plain values, no ownership.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hone::device::cuda {

// What every call answers. CudaLibrary::check makes it an Error.
enum class CudaStatus : uint32_t {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  stub_library = 34,
  needs_newer_driver = 36,
  device_unavailable = 46,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  no_binary_for_gpu = 209,
  ecc_uncorrectable = 214,
  invalid_ptx = 218,
  nvlink_uncorrectable = 220,
  unsupported_ptx_version = 222,
  contained = 226,
  not_found = 500,
  not_ready = 600,  // a query: still running
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  assert_failed = 710,
  host_memory_already_registered = 712,
  hardware_stack_error = 714,
  illegal_instruction = 715,
  misaligned_address = 716,
  invalid_address_space = 717,
  invalid_pc = 718,
  launch_failed = 719,
  cooperative_launch_too_large = 720,
  not_permitted = 800,
  not_supported = 801,
  system_not_ready = 802,
  system_driver_mismatch = 803,
  mps_client_terminated = 810,
  invalid_cluster_size = 912,
  unknown = 999,
};

using DeviceOrdinal = int32_t;
using DeviceAddress = uint64_t;  // in the device's address space
using MemoryHandle = uint64_t;   // physical memory, of mem_create
using Context = struct ContextObject*;
using Module = struct ModuleObject*;
using Function = struct FunctionObject*;
using Stream = struct StreamObject*;  // nullptr: the default stream
using Event = struct EventObject*;

struct Uuid {
  uint8_t bytes[16];
};

enum class DeviceAttribute : uint32_t {
  max_threads_per_block = 1,
  max_block_dim_x = 2,
  max_block_dim_y = 3,
  max_block_dim_z = 4,
  max_grid_dim_x = 5,
  max_grid_dim_y = 6,
  max_grid_dim_z = 7,
  shared_bytes_per_block = 8,
  constant_bytes = 9,
  warp_size = 10,
  registers_per_block = 12,  // of 32 bits
  clock_khz = 13,
  multiprocessors = 16,
  kernel_timeout = 17,  // 1: a watchdog ends long kernels
  integrated = 18,
  compute_mode = 20,  // ComputeMode
  ecc_enabled = 32,
  pci_bus_id = 33,
  pci_device_id = 34,
  memory_clock_khz = 36,
  memory_bus_bits = 37,
  l2_bytes = 38,
  threads_per_multiprocessor = 39,
  pci_domain_id = 50,
  compute_capability_major = 75,
  compute_capability_minor = 76,
  shared_bytes_per_multiprocessor = 81,
  registers_per_multiprocessor = 82,
  pageable_memory_access = 88,  // 1: kernels reach ordinary host memory
  concurrent_managed_access = 89,
  cooperative_launch = 95,
  shared_bytes_per_block_opt_in = 97,
  pageable_access_by_host_page_tables = 100,
  virtual_memory_management = 102,
  exports_memory_as_descriptor = 103,
  blocks_per_multiprocessor = 106,
  max_persisting_l2_bytes = 108,
  max_access_policy_window_bytes = 109,
  reserved_shared_bytes_per_block = 111,
  cluster_launch = 120,
  tensor_map_access = 127,
  mps_enabled = 133,
};

enum class ComputeMode : int32_t { shared = 0, prohibited = 2, exclusive_process = 3 };

// Flags of ctx_create.
inline constexpr uint32_t k_schedule_spin = 1;
inline constexpr uint32_t k_schedule_yield = 2;
inline constexpr uint32_t k_schedule_blocking = 4;

enum class ContextLimit : uint32_t {
  stack_bytes = 0,
  printf_fifo_bytes = 1,
  malloc_heap_bytes = 2,
  max_l2_fetch_granularity = 5,
  persisting_l2_bytes = 6,
};

enum class JitOption : uint32_t {
  info_log_buffer = 3,
  info_log_bytes = 4,
  error_log_buffer = 5,
  error_log_bytes = 6,
};

enum class FunctionAttribute : uint32_t {
  max_threads_per_block = 0,
  static_shared_bytes = 1,
  constant_bytes = 2,
  local_bytes = 3,  // per thread: spills and local arrays
  registers = 4,    // per thread
  ptx_version = 5,
  binary_version = 6,
  max_dynamic_shared_bytes = 8,
  preferred_shared_carveout_percent = 9,
  cluster_size_must_be_set = 10,
  required_cluster_width = 11,
  required_cluster_height = 12,
  required_cluster_depth = 13,
  non_portable_cluster_size_allowed = 14,
};

// Flags.
inline constexpr uint32_t k_stream_non_blocking = 1;
inline constexpr uint32_t k_event_blocking_sync = 1;
inline constexpr uint32_t k_event_disable_timing = 2;
inline constexpr uint32_t k_host_portable = 1;            // mem_host_alloc, mem_host_register
inline constexpr uint32_t k_host_device_map = 2;          // both
inline constexpr uint32_t k_host_write_combined = 4;      // mem_host_alloc
inline constexpr uint32_t k_host_register_read_only = 8;  // mem_host_register

struct LaunchDim {
  uint32_t x = 1;
  uint32_t y = 1;
  uint32_t z = 1;
};

enum class LaunchAttributeId : uint32_t {
  ignore = 0,
  cooperative = 2,
  cluster_dimension = 4,
  cluster_scheduling_policy = 5,
  priority = 8,
};

union LaunchAttributeValue {
  char bytes[64] = {};
  int32_t cooperative;
  LaunchDim cluster;
  int32_t priority;
};

struct LaunchAttribute {
  LaunchAttributeId id = LaunchAttributeId::ignore;
  uint32_t unused = 0;
  LaunchAttributeValue value = {};
};

struct LaunchConfig {
  LaunchDim grid;   // in blocks
  LaunchDim block;  // in threads
  uint32_t dynamic_shared_bytes = 0;
  Stream stream = nullptr;
  LaunchAttribute* attributes = nullptr;
  uint32_t attribute_count = 0;
};

enum class MemoryLocationType : uint32_t { none = 0, device = 1, host = 2 };

struct MemoryLocation {
  MemoryLocationType type = MemoryLocationType::none;
  int32_t id = 0;  // of a device its ordinal
};

enum class AllocationType : uint32_t { pinned = 1 };
enum class ShareableHandle : uint32_t { none = 0, file_descriptor = 1 };

struct AllocationProperties {
  AllocationType type = AllocationType::pinned;
  ShareableHandle shareable = ShareableHandle::none;
  MemoryLocation location;
  void* unused = nullptr;
  struct {
    uint8_t compression = 0;
    uint8_t gpu_direct_rdma = 0;
    uint16_t usage = 0;
    uint8_t reserved[4] = {};
  } flags;
};

enum class MemoryAccess : uint32_t { none = 0, read = 1, read_write = 3 };
enum class Granularity : uint32_t { minimum = 0, recommended = 1 };

struct AccessDescription {
  MemoryLocation location;
  MemoryAccess access = MemoryAccess::none;
};

enum class TensorDType : uint32_t {
  u8 = 0,
  u16 = 1,
  u32 = 2,
  i32 = 3,
  u64 = 4,
  i64 = 5,
  f16 = 6,
  f32 = 7,
  f64 = 8,
  bf16 = 9,
  f32_flush = 10,
  tf32 = 11,
  tf32_flush = 12,
};
enum class TensorInterleave : uint32_t { none = 0, bytes_16 = 1, bytes_32 = 2 };
enum class TensorSwizzle : uint32_t { none = 0, bytes_32 = 1, bytes_64 = 2, bytes_128 = 3 };
enum class TensorL2Promotion : uint32_t { none = 0, bytes_64 = 1, bytes_128 = 2, bytes_256 = 3 };
enum class TensorOutOfBounds : uint32_t { zeros = 0, nan = 1 };

// Passed to kernels by value. Interfaces before 13 ask for an alignment of 64; 128 serves both.
struct alignas(128) TensorMap {
  uint64_t opaque[16] = {};
};

}  // namespace hone::device::cuda
