// The types and numbers of AMD's HIP run time that hone uses, as HIP 6 and 7 have them: sizes are bytes, addresses are
// the device's. Written from the interface's documentation; no header of AMD's is needed to build hone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hone::device::hip {

enum class HipStatus : uint32_t {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  invalid_configuration = 9,
  insufficient_driver = 35,
  no_device = 100,
  invalid_device = 101,
  not_found = 500,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  assert_failed = 710,
  launch_failed = 719,
  cooperative_launch_too_large = 720,
  not_supported = 801,
};

// Numbers of HIP 5 and newer, which differ from CUDA's.
enum class HipAttribute : uint32_t {
  clock_khz = 5,
  compute_mode = 6,
  l2_bytes = 19,
  compute_capability_major = 23,
  max_block_dim_x = 26,
  max_block_dim_y = 27,
  max_block_dim_z = 28,
  max_grid_dim_x = 29,  // in blocks
  max_grid_dim_y = 30,
  max_grid_dim_z = 31,
  max_threads_per_block = 56,
  threads_per_multiprocessor = 57,
  compute_capability_minor = 61,
  multiprocessors = 63,
  pageable_memory_access = 65,  // 1: kernels reach ordinary host memory (XNACK)
  registers_per_block = 71,
  shared_bytes_per_block = 74,
  warp_size = 87,  // 64 or 32: a wavefront
  virtual_memory = 89,
  shared_bytes_per_multiprocessor = 10002,
};

struct HipUuid {
  char bytes[16];
};

// hipDeviceProp_t of HIP 6, of which hone reads the architecture alone.
struct HipProperties {
  char before[1160];
  char arch[256];  // "gfx942:sramecc+:xnack-"
  char after[56];
};
static_assert(sizeof(HipProperties) == 1472);

// Pointers of the library's own; addresses and handles of memory are numbers of a pointer's size.
using Stream = struct StreamObject*;
using Event = struct EventObject*;
using Module = struct ModuleObject*;
using Function = struct FunctionObject*;
using DeviceAddress = uint64_t;
using MemoryHandle = uint64_t;

inline constexpr uint32_t k_schedule_spin = 1;        // waiting threads look again and again
inline constexpr uint32_t k_stream_non_blocking = 1;  // it does not wait for the default stream

// ---- virtual memory ----

enum class MemoryLocationType : uint32_t { device = 1 };
enum class MemoryAccess : uint32_t { read_write = 3 };
enum class Granularity : uint32_t { minimum = 0 };

struct MemoryLocation {
  MemoryLocationType type = MemoryLocationType::device;
  int32_t device = 0;
};

struct AllocationProperties {
  uint32_t pinned = 1;  // the only kind of allocation
  uint32_t shared_handles = 0;
  MemoryLocation location;
  void* windows_only = nullptr;
  uint8_t flags[4] = {};
};
static_assert(sizeof(AllocationProperties) == 32);

struct AccessDescription {
  MemoryLocation location;
  MemoryAccess access = MemoryAccess::read_write;
};
static_assert(sizeof(AccessDescription) == 12);

}  // namespace hone::device::hip
