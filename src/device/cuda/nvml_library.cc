#include "device/cuda/nvml_library.h"

#include <fmt/format.h>

#include "device/shared_library.h"

namespace hone::device::cuda {

namespace {

using N = NvmlLibrary;

constexpr Entry<N> k_entries[] = {
    entry<&N::init>("nvmlInit_v2"),
    entry<&N::shutdown>("nvmlShutdown"),
    entry<&N::error_string>("nvmlErrorString"),
    entry<&N::system_get_driver_version>("nvmlSystemGetDriverVersion"),

    entry<&N::device_get_count>("nvmlDeviceGetCount_v2"),
    entry<&N::device_get_handle_by_index>("nvmlDeviceGetHandleByIndex_v2"),
    entry<&N::device_get_handle_by_uuid>("nvmlDeviceGetHandleByUUID"),
    entry<&N::device_get_uuid>("nvmlDeviceGetUUID"),

    entry<&N::device_get_clock>("nvmlDeviceGetClockInfo"),
    entry<&N::device_get_max_clock>("nvmlDeviceGetMaxClockInfo"),
    entry<&N::device_get_throttle_reasons>("nvmlDeviceGetCurrentClocksThrottleReasons", Presence::optional),
    entry<&N::device_get_throttle_reasons>("nvmlDeviceGetCurrentClocksEventReasons", Presence::optional),
    entry<&N::device_get_power_limit>("nvmlDeviceGetEnforcedPowerLimit"),
    entry<&N::device_get_power>("nvmlDeviceGetPowerUsage"),
    entry<&N::device_get_temperature>("nvmlDeviceGetTemperature", Presence::optional),
    entry<&N::device_get_utilisation>("nvmlDeviceGetUtilizationRates", Presence::optional),
    entry<&N::device_get_compute_mode>("nvmlDeviceGetComputeMode"),
    entry<&N::device_get_mig_mode>("nvmlDeviceGetMigMode", Presence::optional),
    entry<&N::device_get_compute_processes>("nvmlDeviceGetComputeRunningProcesses_v3"),

    entry<&N::device_set_gpu_locked_clocks>("nvmlDeviceSetGpuLockedClocks", Presence::optional),
    entry<&N::device_reset_gpu_locked_clocks>("nvmlDeviceResetGpuLockedClocks", Presence::optional),
    entry<&N::device_set_memory_locked_clocks>("nvmlDeviceSetMemoryLockedClocks", Presence::optional),
    entry<&N::device_reset_memory_locked_clocks>("nvmlDeviceResetMemoryLockedClocks", Presence::optional),
};

// More than ever share one device; asked once, so that processes that come and go cannot make the question loop.
constexpr uint32_t k_most_processes = 1024;

}  // namespace

Result<NvmlLibrary> NvmlLibrary::open(const std::vector<std::string>& files) {
  HONE_TRY(const SharedLibrary file,
           SharedLibrary::open({files, "NVIDIA's management library",
                                "it comes with NVIDIA's driver (on Debian: apt-get install libnvidia-ml1)"}));
  NvmlLibrary library;
  library.path = file.path();
  HONE_CHECK(bind_entries<NvmlLibrary>(file, k_entries, library));
  return library;
}

Result<NvmlLibrary> NvmlLibrary::start(const std::string& file) {
  HONE_TRY(NvmlLibrary nvml, file.empty() ? open() : open({file}));
  HONE_CHECK(nvml.check(nvml.init(), "start NVIDIA's management library"));
  return nvml;
}

Status NvmlLibrary::check(NvmlStatus status, std::string_view doing) const {
  if (status == NvmlStatus::success) return ok();
  const char* text = error_string(status);
  return Error{ErrorCode::environment,
               fmt::format("cannot {}: {} ({})", doing, text == nullptr ? "?" : text, static_cast<uint32_t>(status))};
}

Result<std::string> NvmlLibrary::driver_version() const {
  char version[k_nvml_version_bytes] = {};
  HONE_CHECK(check(system_get_driver_version(version, k_nvml_version_bytes - 1), "ask for the driver's version"));
  return std::string(version);
}

std::optional<NvmlFound> NvmlLibrary::find(const std::string& uuid) const {
  const size_t digits = std::min(uuid.find('-'), uuid.size());
  for (const char* prefix : {"GPU", "MIG"}) {
    NvmlFound found{nullptr, prefix + uuid.substr(digits)};
    if (device_get_handle_by_uuid(found.uuid.c_str(), &found.device) == NvmlStatus::success) return found;
  }
  return std::nullopt;
}

Result<std::vector<NvmlProcess>> NvmlLibrary::compute_processes(NvmlDevice device, uint32_t self) const {
  std::vector<NvmlProcess> processes(k_most_processes);
  uint32_t count = k_most_processes;
  HONE_CHECK(check(device_get_compute_processes(device, &count, processes.data()), "list who computes on the device"));
  processes.resize(std::min(count, k_most_processes));
  std::erase_if(processes, [self](const NvmlProcess& process) { return process.pid == self; });
  return processes;
}

}  // namespace hone::device::cuda
