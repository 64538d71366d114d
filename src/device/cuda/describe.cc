#include "device/cuda/describe.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "base/text.h"
#include "device/cuda/cuda_library.h"
#include "device/cuda/nvml_library.h"
#include "device/cuda/nvrtc_library.h"

namespace hone::device::cuda {

namespace {

struct ModeRow {
  ComputeMode mode;
  std::string_view name;
  std::string_view note;
};

constexpr ModeRow k_modes[] = {
    {ComputeMode::shared, "shared", ""},
    {ComputeMode::prohibited, "prohibited", "its compute mode lets nobody use it: nvidia-smi -c DEFAULT changes that"},
    {ComputeMode::exclusive_process, "exclusive-process",
     "its compute mode lets one process at a time use it: nvidia-smi -c DEFAULT changes that"},
};

class Asked {
 public:
  Asked(const CudaLibrary& cuda, DeviceOrdinal device) : cuda_(cuda), device_(device) {}

  std::optional<int> operator()(DeviceAttribute attribute) const {
    int32_t value = 0;
    if (cuda_.device_get_attribute(&value, attribute, device_) != CudaStatus::success) return std::nullopt;
    return value;
  }
  std::optional<uint64_t> bytes(DeviceAttribute attribute) const {
    const auto value = (*this)(attribute);
    return value && *value >= 0 ? std::optional(static_cast<uint64_t>(*value)) : std::nullopt;
  }
  std::optional<bool> flag(DeviceAttribute attribute) const {
    const auto value = (*this)(attribute);
    return value ? std::optional(*value != 0) : std::nullopt;
  }

 private:
  const CudaLibrary& cuda_;
  DeviceOrdinal device_;
};

LaunchLimits limits_of(const Asked& ask) {
  LaunchLimits limits;
  limits.threads_per_block = ask(DeviceAttribute::max_threads_per_block);
  limits.threads_per_multiprocessor = ask(DeviceAttribute::threads_per_multiprocessor);
  limits.shared_bytes_per_block = ask.bytes(DeviceAttribute::shared_bytes_per_block);
  limits.shared_bytes_per_block_opt_in = ask.bytes(DeviceAttribute::shared_bytes_per_block_opt_in);
  limits.shared_bytes_per_multiprocessor = ask.bytes(DeviceAttribute::shared_bytes_per_multiprocessor);
  limits.registers_per_block = ask(DeviceAttribute::registers_per_block);
  limits.registers_per_multiprocessor = ask(DeviceAttribute::registers_per_multiprocessor);
  limits.clusters = ask.flag(DeviceAttribute::cluster_launch);
  limits.cooperative = ask.flag(DeviceAttribute::cooperative_launch);
  return limits;
}

void set_architecture(Accelerator& device, const Asked& ask) {
  const auto major = ask(DeviceAttribute::compute_capability_major);
  const auto minor = ask(DeviceAttribute::compute_capability_minor);
  if (!major || !minor) return;
  device.arch = fmt::format("sm_{}{}", *major, *minor);
  device.compute_capability = fmt::format("{}.{}", *major, *minor);
}

// Device code is confined to the device only where the driver says that it does not reach the host's memory.
void set_trust(Accelerator& device, const Asked& ask) {
  const auto pageable = ask.flag(DeviceAttribute::pageable_memory_access);
  if (pageable.has_value() && !*pageable) return;
  device.trust = Trust::host_code;
  device.notes.emplace_back("kernels on it reach the host's ordinary memory, so their trust level is host-code");
}

void set_compute_mode(Accelerator& device, const Asked& ask) {
  const auto mode = ask(DeviceAttribute::compute_mode);
  for (const ModeRow& row : k_modes) {
    if (!mode || static_cast<ComputeMode>(*mode) != row.mode) continue;
    device.compute_mode = row.name;
    if (!row.note.empty()) device.notes.emplace_back(row.note);
  }
}

Result<Accelerator> describe_one(const CudaLibrary& cuda, int index) {
  DeviceOrdinal ordinal = 0;
  std::array<char, 256> name{};
  Uuid uuid{};
  Accelerator device;
  HONE_CHECK(cuda.check(cuda.device_get(&ordinal, index), fmt::format("open CUDA device {}", index)));
  HONE_CHECK(cuda.check(cuda.device_get_name(name.data(), name.size() - 1, ordinal), "ask for a device's name"));
  HONE_CHECK(cuda.check(cuda.device_get_uuid(&uuid, ordinal), "ask for a device's UUID"));
  HONE_CHECK(cuda.check(cuda.device_total_mem(&device.memory_bytes, ordinal), "ask for a device's memory"));
  const Asked ask(cuda, ordinal);
  device.kind = "cuda";
  device.index = index;
  device.uuid = "GPU-" + uuid_text(uuid.bytes);
  device.vendor = "nvidia";
  device.name = name.data();
  device.multiprocessors = ask(DeviceAttribute::multiprocessors);
  device.warp_size = ask(DeviceAttribute::warp_size);
  device.l2_bytes = ask.bytes(DeviceAttribute::l2_bytes);
  device.limits = limits_of(ask);
  set_architecture(device, ask);
  set_trust(device, ask);
  set_compute_mode(device, ask);
  if (ask.flag(DeviceAttribute::kernel_timeout).value_or(false))
    device.notes.emplace_back("a watchdog ends long kernels on it, as it also drives a display");
  return device;
}

std::optional<bool> mig_of(const NvmlLibrary& nvml, NvmlDevice handle, const Accelerator& device) {
  if (device.uuid.starts_with("MIG")) return true;
  uint32_t current = 0;
  uint32_t pending = 0;
  if (nvml.device_get_mig_mode == nullptr) return std::nullopt;
  if (nvml.device_get_mig_mode(handle, &current, &pending) != NvmlStatus::success) return std::nullopt;
  return current != 0;
}

void add_neighbours(const NvmlLibrary& nvml, NvmlDevice handle, Accelerator& device) {
  const auto others = nvml.compute_processes(handle, static_cast<uint32_t>(getpid()));
  if (others && !others->empty())
    device.notes.push_back(fmt::format("in use: {} other {} on it", others->size(),
                                       others->size() == 1 ? "process computes" : "processes compute"));
}

void add_management(const NvmlLibrary& nvml, Accelerator& device) {
  const auto found = nvml.find(device.uuid);
  if (!found) return;
  device.uuid = found->uuid;
  uint32_t mhz = 0;
  uint32_t milliwatts = 0;
  if (nvml.device_get_max_clock(found->device, NvmlClock::sm, &mhz) == NvmlStatus::success)
    device.max_clock_mhz = static_cast<int>(mhz);
  if (nvml.device_get_power_limit(found->device, &milliwatts) == NvmlStatus::success)
    device.power_limit_watts = milliwatts / 1e3;
  device.mig = mig_of(nvml, found->device, device);
  add_neighbours(nvml, found->device, device);
}

Result<NvmlLibrary> open_nvml(const DriverFiles& files) {
  HONE_TRY(NvmlLibrary nvml, open_library<NvmlLibrary>(files, "nvml"));
  HONE_CHECK(nvml.check(nvml.init(), "start NVIDIA's management library"));
  return nvml;
}

void manage(Accelerators& found, const DriverFiles& files) {
  const auto nvml = open_nvml(files);
  if (!nvml) {
    found.absent.push_back({"NVML", nvml.error().what, nvml.error().help});
    return;
  }
  const auto version = nvml->driver_version();
  for (Accelerator& device : found.devices) {
    if (version) device.driver = fmt::format("{} ({})", *version, device.driver);
    add_management(*nvml, device);
  }
}

Result<std::string> interface_version(const CudaLibrary& cuda) {
  int32_t version = 0;
  HONE_CHECK(cuda.check(cuda.driver_get_version(&version), "ask for the driver's version"));
  return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

Result<Accelerators> describe_devices(const DriverFiles& files) {
  HONE_TRY(const CudaLibrary cuda, open_library<CudaLibrary>(files, "cuda"));
  HONE_CHECK(cuda.check(cuda.init(0), "start NVIDIA's driver"));
  HONE_TRY(const std::string version, interface_version(cuda));
  int32_t count = 0;
  HONE_CHECK(cuda.check(cuda.device_get_count(&count), "count CUDA devices"));
  Accelerators found;
  for (int index = 0; index < count; ++index) {
    HONE_TRY(Accelerator device, describe_one(cuda, index));
    device.driver = version;
    found.devices.push_back(std::move(device));
  }
  if (found.devices.empty()) found.absent.push_back({"cuda", "the driver has no device", "nvidia-smi -L"});
  if (!found.devices.empty()) manage(found, files);
  return found;
}

Result<Accelerators> describe_compiler(const DriverFiles& files) {
  HONE_TRY(const NvrtcLibrary nvrtc, open_library<NvrtcLibrary>(files, "nvrtc"));
  HONE_TRY(const std::string version, nvrtc.version_text());
  HONE_TRY(const std::vector<int> architectures, nvrtc.architectures());
  Accelerators found;
  found.compilers.push_back({"NVRTC", version, nvrtc.path, architectures});
  return found;
}

}  // namespace hone::device::cuda
