// Which device answers: the table of backends, one row each. Adding a backend is one folder and one row in backends.cc.
// Failure: environment, naming what is missing and what to type; usage for a core list that is not allowed.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/accelerators.h"
#include "device/cpu/cpu_device.h"
#include "device/device.h"
#include "task/types.h"

namespace hone::device {

struct DeviceRequest {
  task::Language language = task::Language::cpp;
  std::vector<int> cores;  // empty: the backend's default for that many threads
  int threads = 1;
  std::string device = {};  // its uuid, or where it stands for a while ("0.1"); empty: the backend's first
};

// What a vendor's driver shows, asked in the describing child alone (device/describing.h).
using Describer = Result<Accelerators> (*)(const DriverFiles& files);

struct BackendRow {
  std::string_view folder;                 // of this room, and the kind of its devices
  std::optional<task::Language> language;  // of the kernels that it runs; absent: none yet
  Result<std::unique_ptr<Device>> (*open)(const DeviceRequest& request) = nullptr;
  Describer describe_devices = nullptr;     // absent: its devices are no accelerators
  std::string_view run_time_compiler = "";  // "NVRTC"; empty: it has none
  Describer describe_compiler = nullptr;
};

std::span<const BackendRow> backends();

// Whether this hone runs kernels on devices of that kind ("cpu", "cuda"), and the kinds on which it does.
bool has_backend(std::string_view kind);
std::vector<std::string> backend_kinds();

Result<std::unique_ptr<Device>> open_device(const DeviceRequest& request);

// The machine's own cores, for oracles: they are host code whatever the candidate is.
struct HostRequest {
  std::vector<int> cores;
  int threads = 1;
};
Result<std::unique_ptr<cpu::CpuDevice>> open_host(const HostRequest& request);

// The judge runs on one of the device's cores and sleeps while a runner works there (own measurements: the quietest
// placement).
Status pin_this_process(const Identity& identity);

}  // namespace hone::device
