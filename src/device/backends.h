// Which device answers: the table of backends, one row each. Adding a backend is one folder and one row in backends.cc.
// Failure: environment, naming what is missing and what to type; usage for a core list that is not allowed.
#pragma once

#include <memory>
#include <vector>

#include "device/cpu/cpu_device.h"
#include "device/device.h"
#include "task/types.h"

namespace hone::device {

struct DeviceRequest {
  task::Language language = task::Language::cpp;
  std::vector<int> cores;  // empty: the backend's default for that many threads
  int threads = 1;
};

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
