// HipLibrary: the little of AMD's HIP run time that describing a device needs, found at run time. Sizes are bytes.
// Nobody has run this on an AMD device yet: it is written from the interface's documentation and tested against a
// stand-in.
//
// Ownership: plain pointers into a library that stays loaded. Failure: environment, with what to type; `check` names a
// status.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hone::device::hip {

enum class HipStatus : uint32_t {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  insufficient_driver = 35,
  no_device = 100,
  invalid_device = 101,
};

// Numbers of HIP 5 and newer, which differ from CUDA's.
enum class HipAttribute : uint32_t {
  clock_khz = 5,
  compute_mode = 6,
  l2_bytes = 19,
  compute_capability_major = 23,
  max_threads_per_block = 56,
  threads_per_multiprocessor = 57,
  compute_capability_minor = 61,
  multiprocessors = 63,
  pageable_memory_access = 65,  // 1: kernels reach ordinary host memory (XNACK)
  registers_per_block = 71,
  shared_bytes_per_block = 74,
  warp_size = 87,  // 64 or 32: a wavefront
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

struct HipLibrary {
  static Result<HipLibrary> open(const std::vector<std::string>& files = {"libamdhip64.so", "libamdhip64.so.7",
                                                                          "libamdhip64.so.6", "libamdhip64.so.5",
                                                                          "/opt/rocm/lib/libamdhip64.so"});

  Status check(HipStatus status, std::string_view doing) const;

  std::string path;

  HipStatus (*init)(uint32_t flags) = nullptr;
  HipStatus (*driver_get_version)(int32_t* version) = nullptr;
  HipStatus (*get_device_count)(int32_t* count) = nullptr;
  HipStatus (*device_get)(int32_t* device, int32_t index) = nullptr;
  HipStatus (*device_get_name)(char* name, int32_t capacity, int32_t device) = nullptr;
  HipStatus (*device_get_uuid)(HipUuid* uuid, int32_t device) = nullptr;  // optional
  HipStatus (*device_total_mem)(size_t* bytes, int32_t device) = nullptr;
  HipStatus (*device_get_attribute)(int32_t* value, HipAttribute attribute, int32_t index) = nullptr;
  HipStatus (*get_device_properties)(HipProperties* properties, int32_t index) = nullptr;  // optional: HIP 6
  const char* (*get_error_string)(HipStatus status) = nullptr;
};

// AMD's run-time compiler, as far as saying which it is.
struct HiprtcLibrary {
  static Result<HiprtcLibrary> open(const std::vector<std::string>& files = {"libhiprtc.so", "libhiprtc.so.7",
                                                                             "libhiprtc.so.6", "libhiprtc.so.5",
                                                                             "/opt/rocm/lib/libhiprtc.so"});

  std::string path;
  HipStatus (*version)(int32_t* major, int32_t* minor) = nullptr;  // success and failure alone are HipStatus here
};

}  // namespace hone::device::hip
