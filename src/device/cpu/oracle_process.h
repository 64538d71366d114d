// OracleProcess: the reference in a confined process of its own, called many times. It never shares a process with a
// candidate. The protocol is the runner's (docs/runner-protocol.md) with one set of buffers, widened types, and no
// freezing: it is not timed. Before a call the caller writes buffer(p); after it the caller reads buffer(p). Buffers
// that are not `written` are sealed.
//
// Ownership: the process; killed when destroyed. Failure: a crash, a missed deadline or a status other than 0 is a
// Fault, after which every call answers the same fault; start it anew. Errors are the machine's. One thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/cpu/cpu_device.h"
#include "device/cpu/runner.h"

namespace hone::device::cpu {

struct OracleRequest {
  Artefact artefact;  // of Device::compile on the task's oracle files
  std::string entry;
  std::vector<ParameterLayout> parameters;  // in the reference's order, magnitudes included
  int threads = 1;
  uint64_t memory_limit_bytes = 16ull << 30;
  Nanoseconds start_deadline = std::chrono::seconds(20);
};

class OracleProcess;

struct OracleStart {
  std::unique_ptr<OracleProcess> oracle;  // or
  std::optional<Fault> fault;
};

class OracleProcess {
 public:
  static Result<OracleStart> start(const CpuDevice& device, const OracleRequest& request);

  // The first `bytes` of a buffer parameter; at most its capacity.
  std::span<std::byte> buffer(size_t parameter, uint64_t bytes) const;
  uint64_t capacity_bytes(size_t parameter) const;
  void set_scalar(size_t parameter, const task::BoundValue& value) { runner_->set_scalar(0, parameter, value); }
  // Absent: it worked.
  Result<std::optional<Fault>> call(Nanoseconds deadline);

 private:
  explicit OracleProcess(std::unique_ptr<Runner> runner) : runner_(std::move(runner)) {}
  std::unique_ptr<Runner> runner_;
};

}  // namespace hone::device::cpu
