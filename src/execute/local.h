// The local executor: every job in its own `hone judge` process on this machine.
// One device lock (user runtime folder) is held while a job runs, so that two campaigns do not spoil each other's
// timing.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device/header_roots.h"
#include "execute/executor.h"
#include "task/types.h"

namespace hone::execute {

struct LocalRequest {
  task::Language language = task::Language::cpp;
  std::vector<int> cores;  // empty: default
  int threads = 1;
  std::optional<std::string> device = {};             // which of its backend's devices; absent: the first
  std::vector<device::HeaderRoot> header_roots = {};  // for every job
  std::filesystem::path program;                      // empty: /proc/self/exe
  std::function<void(const std::string&)> waiting = [](const std::string&) {};  // told once when the device is busy
};

Result<std::unique_ptr<Executor>> make_local_executor(const LocalRequest& request);

}  // namespace hone::execute
