#include "device/opencl/describe.h"

#include <fmt/format.h>

#include "base/text.h"
#include "device/opencl/opencl_library.h"
#include "device/opencl/vendor.h"

namespace hone::device::opencl {

namespace {

class Asked {
 public:
  Asked(const OpenclLibrary& opencl, Device device) : opencl_(opencl), device_(device) {}

  std::string text(DeviceInfo what) const {
    return quote_untrusted(trim(opencl_.text(device_, what).value_or("")), 1 << 10);
  }
  template <class T>
  std::optional<T> value(DeviceInfo what) const {
    return opencl_.value<T>(device_, what);
  }
  std::optional<int> count(DeviceInfo what) const {
    const auto found = value<uint32_t>(what);
    return found ? std::optional(static_cast<int>(*found)) : std::nullopt;
  }

 private:
  const OpenclLibrary& opencl_;
  Device device_;
};

struct Bytes16 {
  uint8_t bytes[16];
};

std::string uuid_of(const Asked& ask, const Accelerator& device) {
  const auto uuid = ask.value<Bytes16>(DeviceInfo::uuid);
  if (!uuid) return "opencl:" + device.place.value_or("");
  return (device.vendor == "nvidia" ? "GPU-" : "") + uuid_text(uuid->bytes);
}

void set_nvidia(Accelerator& device, const Asked& ask) {
  const auto major = ask.count(DeviceInfo::nvidia_capability_major);
  const auto minor = ask.count(DeviceInfo::nvidia_capability_minor);
  if (!major || !minor) return;
  device.arch = fmt::format("sm_{}{}", *major, *minor);
  device.compute_capability = fmt::format("{}.{}", *major, *minor);
  device.warp_size = ask.count(DeviceInfo::nvidia_warp_size);
  device.limits.registers_per_block = ask.count(DeviceInfo::nvidia_registers_per_block);
}

// AMD calls a device by its architecture and keeps its name elsewhere.
void set_amd(Accelerator& device, const Asked& ask) {
  const std::string board = ask.text(DeviceInfo::amd_board_name);
  if (board.empty()) return;
  device.arch = split(device.name, ':').front();
  device.name = board;
  device.warp_size = ask.count(DeviceInfo::amd_wavefront_width);
}

// Only a GPU with memory of its own keeps kernels away from the host: on a CPU they are the host's own code.
void set_trust(Accelerator& device, const Asked& ask, Flags type) {
  const Flags svm = ask.value<Flags>(DeviceInfo::svm_capabilities).value_or(0);
  if ((type & k_device_gpu) != 0 && (svm & k_svm_fine_grain_system) == 0) return;
  device.trust = Trust::host_code;
  device.notes.emplace_back((type & k_device_gpu) != 0
                                ? "kernels on it reach the host's ordinary memory, so their trust level is host-code"
                                : "kernels on it run as code of the host, so their trust level is host-code");
}

LaunchLimits limits_of(const Asked& ask) {
  LaunchLimits limits;
  const auto group = ask.value<size_t>(DeviceInfo::work_group_size);
  if (group) limits.threads_per_block = static_cast<int>(*group);
  limits.shared_bytes_per_block = ask.value<uint64_t>(DeviceInfo::local_bytes);
  return limits;
}

Accelerator describe_one(const Asked& ask, int index, std::string place) {
  const Flags type = ask.value<Flags>(DeviceInfo::type).value_or(0);
  Accelerator device;
  device.kind = "opencl";
  device.index = index;
  device.place = std::move(place);
  device.name = ask.text(DeviceInfo::name);
  device.vendor = vendor_of(ask.text(DeviceInfo::vendor), type);
  device.uuid = uuid_of(ask, device);
  device.multiprocessors = ask.count(DeviceInfo::compute_units);
  device.memory_bytes = ask.value<uint64_t>(DeviceInfo::memory_bytes).value_or(0);
  device.l2_bytes = ask.value<uint64_t>(DeviceInfo::cache_bytes);
  device.max_clock_mhz = ask.count(DeviceInfo::clock_mhz);
  device.limits = limits_of(ask);
  device.driver = fmt::format("{} ({})", ask.text(DeviceInfo::driver_version), ask.text(DeviceInfo::version));
  set_nvidia(device, ask);
  if (device.vendor == "amd") set_amd(device, ask);
  set_trust(device, ask, type);
  if (ask.value<Bool>(DeviceInfo::available) == Bool::no) device.notes.emplace_back("its driver calls it unavailable");
  return device;
}

OpenclPlatform describe_platform(const OpenclLibrary& opencl, Platform platform, int index) {
  const auto text = [&](PlatformInfo what) {
    return quote_untrusted(trim(opencl.text(platform, what).value_or("")), 1 << 10);
  };
  return {index, text(PlatformInfo::name), text(PlatformInfo::vendor), text(PlatformInfo::version), {}};
}

Status add_platform(const OpenclLibrary& opencl, Platform platform, Accelerators& found) {
  const int place = static_cast<int>(found.platforms.size());
  OpenclPlatform record = describe_platform(opencl, platform, place);
  HONE_TRY(const std::vector<Device> devices, opencl.devices(platform));
  for (Device device : devices) {
    const Asked ask(opencl, device);
    found.devices.push_back(
        describe_one(ask, static_cast<int>(found.devices.size()), fmt::format("{}.{}", place, record.devices.size())));
    record.devices.push_back(found.devices.back().name);
  }
  found.platforms.push_back(std::move(record));
  return ok();
}

}  // namespace

Result<Accelerators> describe_devices(const DriverFiles& files) {
  HONE_TRY(const OpenclLibrary opencl, open_library<OpenclLibrary>(files, "opencl"));
  HONE_TRY(const std::vector<Platform> platforms, opencl.platforms());
  Accelerators found;
  for (Platform platform : platforms) HONE_CHECK(add_platform(opencl, platform, found));
  if (found.devices.empty())
    found.absent.push_back({"opencl", "no platform has a device",
                            "install the GPU's driver, or for the CPU: apt-get install pocl-opencl-icd"});
  return found;
}

}  // namespace hone::device::opencl
