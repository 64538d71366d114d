// NvmlLibrary: NVIDIA's management library, found at run time: clocks, what holds them back, power, modes, who else
// computes on a device. Clocks are MHz, power is milliwatts, memory bytes. It opens no context and costs about 2 ms a
// question.
//
// Ownership: plain pointers into a library that stays loaded; `init` and `shutdown` are counted by the library.
// Failure: environment, with what to type; `check` names the status. A device may answer not_supported to anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hone::device::cuda {

enum class NvmlStatus : uint32_t {
  success = 0,
  uninitialized = 1,
  invalid_argument = 2,
  not_supported = 3,
  no_permission = 4,
  not_found = 6,
  insufficient_size = 7,
  driver_not_loaded = 9,
  function_not_found = 13,
  gpu_is_lost = 15,
  library_driver_mismatch = 18,
  unknown = 999,
};

using NvmlDevice = struct NvmlDeviceObject*;

enum class NvmlClock : uint32_t { graphics = 0, sm = 1, memory = 2 };
enum class NvmlComputeMode : uint32_t { shared = 0, prohibited = 2, exclusive_process = 3 };
enum class NvmlSensor : uint32_t { gpu = 0 };

// Bits of what holds the clocks back.
inline constexpr uint64_t k_throttle_idle = 0x1;
inline constexpr uint64_t k_throttle_user_clocks = 0x2;
inline constexpr uint64_t k_throttle_power_cap = 0x4;
inline constexpr uint64_t k_throttle_hardware_slowdown = 0x8;
inline constexpr uint64_t k_throttle_sync_boost = 0x10;
inline constexpr uint64_t k_throttle_software_thermal = 0x20;
inline constexpr uint64_t k_throttle_hardware_thermal = 0x40;
inline constexpr uint64_t k_throttle_power_brake = 0x80;
inline constexpr uint64_t k_throttle_display_clocks = 0x100;

struct NvmlProcess {
  uint32_t pid = 0;
  uint64_t used_bytes = 0;  // all ones: not known
  uint32_t gpu_instance = 0;
  uint32_t compute_instance = 0;
};

// Shares of the last moments, as long as the device chooses, in which some kernel ran or memory was in use.
struct NvmlUtilisation {
  uint32_t gpu_percent = 0;
  uint32_t memory_percent = 0;
};

// A device, and the UUID under which the library knows it.
struct NvmlFound {
  NvmlDevice device = nullptr;
  std::string uuid;
};

// With the 0 at the end.
inline constexpr uint32_t k_nvml_uuid_bytes = 96;
inline constexpr uint32_t k_nvml_name_bytes = 96;
inline constexpr uint32_t k_nvml_version_bytes = 80;

struct NvmlLibrary {
  static Result<NvmlLibrary> open(const std::vector<std::string>& files = {"libnvidia-ml.so.1"});
  // Opened and started; an empty file is the usual one.
  static Result<NvmlLibrary> start(const std::string& file);

  Status check(NvmlStatus status, std::string_view doing) const;
  Result<std::string> driver_version() const;  // "570.124.06"
  // A part of a divided device has a UUID of its own, with another prefix than CUDA gives it: "MIG-…" for "GPU-…".
  std::optional<NvmlFound> find(const std::string& uuid) const;
  // Of other processes too; `self` is left out.
  Result<std::vector<NvmlProcess>> compute_processes(NvmlDevice device, uint32_t self) const;

  std::string path;

  NvmlStatus (*init)() = nullptr;
  NvmlStatus (*shutdown)() = nullptr;
  const char* (*error_string)(NvmlStatus status) = nullptr;
  NvmlStatus (*system_get_driver_version)(char* version, uint32_t capacity) = nullptr;

  NvmlStatus (*device_get_count)(uint32_t* count) = nullptr;
  NvmlStatus (*device_get_handle_by_index)(uint32_t index, NvmlDevice* device) = nullptr;
  NvmlStatus (*device_get_handle_by_uuid)(const char* uuid, NvmlDevice* device) = nullptr;  // "GPU-…"
  NvmlStatus (*device_get_uuid)(NvmlDevice device, char* uuid, uint32_t capacity) = nullptr;

  NvmlStatus (*device_get_clock)(NvmlDevice device, NvmlClock clock, uint32_t* mhz) = nullptr;
  NvmlStatus (*device_get_max_clock)(NvmlDevice device, NvmlClock clock, uint32_t* mhz) = nullptr;
  NvmlStatus (*device_get_throttle_reasons)(NvmlDevice device, unsigned long long* bits) = nullptr;
  NvmlStatus (*device_get_power_limit)(NvmlDevice device, uint32_t* milliwatts) = nullptr;
  NvmlStatus (*device_get_power)(NvmlDevice device, uint32_t* milliwatts) = nullptr;
  NvmlStatus (*device_get_temperature)(NvmlDevice device, NvmlSensor sensor, uint32_t* celsius) = nullptr;
  NvmlStatus (*device_get_utilisation)(NvmlDevice device, NvmlUtilisation* busy) = nullptr;
  NvmlStatus (*device_get_compute_mode)(NvmlDevice device, NvmlComputeMode* mode) = nullptr;
  NvmlStatus (*device_get_mig_mode)(NvmlDevice device, uint32_t* current, uint32_t* pending) = nullptr;
  // In: room in `processes`; out: how many there are; insufficient_size when they do not fit.
  NvmlStatus (*device_get_compute_processes)(NvmlDevice device, uint32_t* count, NvmlProcess* processes) = nullptr;

  // Optional, and usually for root alone.
  NvmlStatus (*device_set_gpu_locked_clocks)(NvmlDevice device, uint32_t low_mhz, uint32_t high_mhz) = nullptr;
  NvmlStatus (*device_reset_gpu_locked_clocks)(NvmlDevice device) = nullptr;
  NvmlStatus (*device_set_memory_locked_clocks)(NvmlDevice device, uint32_t low_mhz, uint32_t high_mhz) = nullptr;
  NvmlStatus (*device_reset_memory_locked_clocks)(NvmlDevice device) = nullptr;
};

}  // namespace hone::device::cuda
