#include "device/opencl/choose.h"

#include <fmt/format.h>

#include <optional>

namespace hone::device::opencl {

namespace {

Result<std::vector<Chosen>> all_devices(const OpenclLibrary& library) {
  HONE_TRY(const std::vector<Platform> platforms, library.platforms());
  std::vector<Chosen> all;
  for (size_t p = 0; p < platforms.size(); ++p) {
    HONE_TRY(const std::vector<Device> devices, library.devices(platforms[p]));
    for (size_t d = 0; d < devices.size(); ++d) all.push_back({platforms[p], devices[d], fmt::format("{}.{}", p, d)});
  }
  return all;
}

bool is_a(const OpenclLibrary& library, const Chosen& chosen, Flags type) {
  return (library.value<Flags>(chosen.device, DeviceInfo::type).value_or(0) & type) != 0;
}

Error none(const std::string& what) {
  return Error{ErrorCode::environment, "there is no " + what, {}, {}, "`hone doctor` lists the devices"};
}

}  // namespace

Result<Chosen> choose_device(const OpenclLibrary& library, const std::string& name) {
  HONE_TRY(const std::vector<Chosen> all, all_devices(library));
  for (const Chosen& chosen : all) {
    if (name.empty() ? is_a(library, chosen, k_device_gpu) : chosen.name == name) return chosen;
  }
  if (name.empty() && !all.empty()) return all.front();
  return none(name.empty() ? "OpenCL device" : "OpenCL device " + name);
}

Result<Chosen> choose_processor(const OpenclLibrary& library, const std::string& device_name) {
  HONE_TRY(const std::vector<Chosen> all, all_devices(library));
  for (const Chosen& chosen : all) {
    if (is_a(library, chosen, k_device_cpu) && library.text(chosen.device, DeviceInfo::name) == device_name)
      return chosen;
  }
  return none(fmt::format("OpenCL processor '{}'", device_name));
}

}  // namespace hone::device::opencl
