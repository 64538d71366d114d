#include "device/backends.h"

#include <fmt/format.h>

#include "base/disk.h"
#include "base/process.h"
#include "device/cpu/pin.h"
#include "device/cpu/topology.h"

namespace hone::device {

namespace {

using Opener = Result<std::unique_ptr<Device>> (*)(const DeviceRequest& request);

Result<std::unique_ptr<Device>> open_cpu(const DeviceRequest& request) {
  HONE_TRY(auto host, open_host({request.cores, request.threads}));
  return std::unique_ptr<Device>(std::move(host));
}

struct BackendRow {
  std::string_view folder;  // of this room
  task::Language language;
  Opener open;
};

// The backends of this hone.
constexpr BackendRow k_backends[] = {
    {"cpu", task::Language::cpp, open_cpu},
};

}  // namespace

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
  if (identity.kind != "cpu") return ok();
  return cpu::pin_judge(identity.cores);
}

}  // namespace hone::device
