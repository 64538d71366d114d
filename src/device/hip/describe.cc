#include "device/hip/describe.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "device/hip/hip_library.h"

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

// "gfx942" of "gfx942:sramecc+:xnack-".
std::optional<std::string> arch_of(const HipLibrary& hip, int index) {
  HipProperties properties{};
  if (hip.get_device_properties == nullptr) return std::nullopt;
  if (hip.get_device_properties(&properties, index) != HipStatus::success) return std::nullopt;
  properties.arch[sizeof properties.arch - 1] = '\0';
  return split(properties.arch, ':').front();
}

// As the rest of AMD's tools write it; the place where the run time has none.
std::string uuid_of(const HipLibrary& hip, int32_t ordinal, int index) {
  HipUuid uuid{};
  if (hip.device_get_uuid == nullptr || hip.device_get_uuid(&uuid, ordinal) != HipStatus::success)
    return fmt::format("hip:{}", index);
  return "GPU-" + quote_untrusted(std::string_view(uuid.bytes, sizeof uuid.bytes), 64);
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
  device.uuid = uuid_of(hip, ordinal, index);
  device.vendor = "amd";
  device.name = name.data();
  device.arch = arch_of(hip, index);
  device.multiprocessors = ask(HipAttribute::multiprocessors);
  device.warp_size = ask(HipAttribute::warp_size);
  device.l2_bytes = ask.bytes(HipAttribute::l2_bytes);
  device.limits = limits_of(ask);
  device.notes.emplace_back("hone has not been run on an AMD device by its authors");
  set_trust(device, ask);
  return device;
}

// HIP's numbers: 10 000 000 · major + 100 000 · minor + patch.
Result<std::string> version_of(const HipLibrary& hip) {
  int32_t version = 0;
  HONE_CHECK(hip.check(hip.driver_get_version(&version), "say its version"));
  return fmt::format("HIP {}.{}", version / 10'000'000, version % 10'000'000 / 100'000);
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
  int32_t major = 0;
  int32_t minor = 0;
  if (hiprtc.version(&major, &minor) != HipStatus::success)
    return Error{ErrorCode::environment, "hiprtc cannot say its version"};
  Accelerators found;
  found.compilers.push_back({"hiprtc", fmt::format("{}.{}", major, minor), hiprtc.path, {}});
  return found;
}

}  // namespace hone::device::hip
