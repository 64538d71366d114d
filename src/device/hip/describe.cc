#include "device/hip/describe.h"

#include <fmt/format.h>

#include <array>

#include "device/hip/hip_library.h"
#include "device/hip/hiprtc_library.h"

namespace hone::device::hip {

namespace {

class Asked {
 public:
  Asked(const HipLibrary& hip, int index) : hip_(hip), index_(index) {}

  std::optional<int> operator()(HipAttribute attribute) const {
    int32_t value = 0;
    if (hip_.device_get_attribute(&value, attribute, index_) != HipStatus::success) return std::nullopt;
    return value;
  }
  std::optional<uint64_t> bytes(HipAttribute attribute) const {
    const auto value = (*this)(attribute);
    return value && *value >= 0 ? std::optional(static_cast<uint64_t>(*value)) : std::nullopt;
  }

 private:
  const HipLibrary& hip_;
  int index_;
};

LaunchLimits limits_of(const Asked& ask) {
  LaunchLimits limits;
  limits.threads_per_block = ask(HipAttribute::max_threads_per_block);
  limits.threads_per_multiprocessor = ask(HipAttribute::threads_per_multiprocessor);
  limits.shared_bytes_per_block = ask.bytes(HipAttribute::shared_bytes_per_block);
  limits.shared_bytes_per_multiprocessor = ask.bytes(HipAttribute::shared_bytes_per_multiprocessor);
  limits.registers_per_block = ask(HipAttribute::registers_per_block);
  return limits;
}

void set_trust(Accelerator& device, const Asked& ask) {
  if (ask(HipAttribute::pageable_memory_access) == 0) return;
  device.trust = Trust::host_code;
  device.notes.emplace_back("kernels on it reach the host's ordinary memory, so their trust level is host-code");
}

Result<Accelerator> describe_one(const HipLibrary& hip, int index) {
  int32_t ordinal = 0;
  std::array<char, 256> name{};
  Accelerator device;
  HONE_CHECK(hip.check(hip.device_get(&ordinal, index), fmt::format("open device {}", index)));
  HONE_CHECK(hip.check(hip.device_get_name(name.data(), name.size() - 1, ordinal), "ask for a device's name"));
  HONE_CHECK(hip.check(hip.device_total_mem(&device.memory_bytes, ordinal), "ask for a device's memory"));
  const Asked ask(hip, index);
  device.kind = "hip";
  device.index = index;
  device.uuid = uuid_of(hip, index);
  device.vendor = "amd";
  device.name = name.data();
  if (std::string arch = arch_of(hip, index); !arch.empty()) device.arch = std::move(arch);
  device.multiprocessors = ask(HipAttribute::multiprocessors);
  device.warp_size = ask(HipAttribute::warp_size);
  device.l2_bytes = ask.bytes(HipAttribute::l2_bytes);
  device.limits = limits_of(ask);
  device.notes.emplace_back(k_not_run);
  set_trust(device, ask);
  return device;
}

}  // namespace

Result<Accelerators> describe_devices(const DriverFiles& files) {
  HONE_TRY(const HipLibrary hip, open_library<HipLibrary>(files, "hip"));
  HONE_CHECK(hip.check(hip.init(0), "start"));
  HONE_TRY(const std::string version, version_of(hip));
  int32_t count = 0;
  HONE_CHECK(hip.check(hip.get_device_count(&count), "count devices"));
  Accelerators found;
  for (int index = 0; index < count; ++index) {
    HONE_TRY(Accelerator device, describe_one(hip, index));
    device.driver = version;
    found.devices.push_back(std::move(device));
  }
  if (found.devices.empty()) found.absent.push_back({"hip", "the run time has no device", "rocminfo"});
  return found;
}

Result<Accelerators> describe_compiler(const DriverFiles& files) {
  HONE_TRY(const HiprtcLibrary hiprtc, open_library<HiprtcLibrary>(files, "hiprtc"));
  HONE_TRY(const std::string version, hiprtc.version_text());
  Accelerators found;
  found.compilers.push_back({"hiprtc", version, hiprtc.path, {}});
  return found;
}

}  // namespace hone::device::hip
