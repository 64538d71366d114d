#include "device/cpu/oracle_process.h"

#include <algorithm>
#include <array>

#include "base/random.h"
#include "base/text.h"

namespace hone::device::cpu {

namespace {

RunnerRequest runner_request(const CpuDevice& device, const OracleRequest& request,
                             const std::filesystem::path& library) {
  RunnerRequest runner;
  runner.profile = sandbox::Profile::oracle;
  runner.between = BetweenLaunches::running;
  runner.system = sandbox::System::whole;
  runner.library = library;
  runner.entry = request.entry;
  runner.returns = request.artefact.returns;
  runner.parameters = request.parameters;
  runner.threads = request.threads;
  runner.cores = device.identity().cores;
  runner.memory_limit_bytes = request.memory_limit_bytes;
  runner.start_deadline = request.start_deadline;
  return runner;
}

}  // namespace

Result<OracleStart> OracleProcess::start(const CpuDevice& device, const OracleRequest& request) {
  HONE_TRY(const Linked linked, link_for_load(device.compiler(), device.place(), request.artefact, request.threads, 0));
  if (!linked.library)
    return OracleStart{nullptr, Fault{FaultKind::load_failed, 0, "the reference cannot be linked",
                                      quote_untrusted(linked.messages, 64 << 10)}};
  LayoutDice dice(random_u64());
  HONE_TRY(RunnerStart start, Runner::start(runner_request(device, request, *linked.library), dice));
  if (start.fault) return OracleStart{nullptr, std::move(start.fault)};
  return OracleStart{std::unique_ptr<OracleProcess>(new OracleProcess(std::move(start.runner))), std::nullopt};
}

uint64_t OracleProcess::capacity_bytes(size_t parameter) const {
  return runner_->buffers().at(0, parameter).capacity_bytes;
}

std::span<std::byte> OracleProcess::buffer(size_t parameter, uint64_t bytes) const {
  return runner_->buffers().at(0, parameter).payload(std::min(bytes, capacity_bytes(parameter)));
}

Result<std::optional<Fault>> OracleProcess::call(Nanoseconds deadline) {
  const std::array<int, 1> the_set{0};
  HONE_TRY(LaunchOutcome outcome, runner_->launch(the_set, deadline));
  return std::move(outcome.fault);
}

}  // namespace hone::device::cpu
