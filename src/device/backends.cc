#include "device/backends.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/disk.h"
#include "base/process.h"
#include "device/cpu/pin.h"
#include "device/cpu/topology.h"
#include "device/cuda/describe.h"
#include "device/hip/describe.h"
#include "device/launcher/launched_device.h"
#include "device/opencl/describe.h"
#include "device/opencl/host_device.h"

namespace hone::device {

namespace {

Result<std::unique_ptr<Device>> open_cpu(const DeviceRequest& request) {
  HONE_TRY(auto host, open_host({request.cores, request.threads}));
  return std::unique_ptr<Device>(std::move(host));
}

Result<Identity> cores_of(const DeviceRequest& request) {
  HONE_TRY(const cpu::Topology topology, cpu::read_topology());
  HONE_TRY(const auto cores, cpu::choose_cores(topology, request.cores, request.threads));
  return cpu::identity_of(topology, cores, "", "");
}

// A device that is this machine's own cores runs kernels as host code does.
template <task::Language language>
Result<std::unique_ptr<Device>> open_launched(const DeviceRequest& request) {
  const launcher::LauncherRequest launcher{std::string(name_of(language)), request.device, request.cores};
  HONE_TRY(auto first, launcher::Launcher::start(launcher));
  if (first->facts().vendor != "cpu")
    return launcher::LaunchedDevice::open(launcher, std::move(first), user_cache_folder());
  HONE_TRY(const Identity host, cores_of(request));
  return opencl::HostDevice::open(host, first->facts(), user_cache_folder());
}

// The backends of this hone.
constexpr BackendRow k_backends[] = {
    {"cpu", task::Language::cpp, open_cpu},
    {"cuda", task::Language::cuda, open_launched<task::Language::cuda>, cuda::describe_devices, "NVRTC",
     cuda::describe_compiler},
    {"hip", task::Language::hip, open_launched<task::Language::hip>, hip::describe_devices, "hiprtc",
     hip::describe_compiler},
    {"opencl", task::Language::opencl, open_launched<task::Language::opencl>, opencl::describe_devices},
};

}  // namespace

std::span<const BackendRow> backends() { return k_backends; }

bool has_backend(std::string_view kind) {
  return std::ranges::any_of(k_backends,
                             [&](const BackendRow& row) { return row.open != nullptr && row.folder == kind; });
}

std::vector<std::string> backend_kinds() {
  std::vector<std::string> kinds;
  for (const BackendRow& row : k_backends) {
    if (row.open != nullptr) kinds.emplace_back(row.folder);
  }
  return kinds;
}

Result<std::unique_ptr<cpu::CpuDevice>> open_host(const HostRequest& request) {
  HONE_TRY(const cpu::Topology topology, cpu::read_topology());
  HONE_TRY(const auto cores, cpu::choose_cores(topology, request.cores, request.threads));
  Processes processes;
  return cpu::CpuDevice::open(cpu::identity_of(topology, cores, "", ""), user_cache_folder(), processes);
}

Result<std::unique_ptr<Device>> open_device(const DeviceRequest& request) {
  for (const BackendRow& row : k_backends) {
    if (row.language == request.language) return row.open(request);
  }
  return Error{ErrorCode::environment,
               fmt::format("this hone has no backend for '{}' kernels", name_of(request.language)),
               {},
               "",
               "`hone doctor` lists what this machine offers"};
}

Status pin_this_process(const Identity& identity) {
  if (!identity.is_of_cores()) return ok();
  return cpu::pin_judge(identity.cores);
}

}  // namespace hone::device
