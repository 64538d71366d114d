// What confinement costs: the start of one confined runner (spawn, filter, load of a small library, first stop) and its
// end, and of one confined program that does nothing. Usage: bench_runner_start [repetitions, default 200]. Prints
// medians and the 10th and 90th percentile; on a busy machine the 10th says most.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/disk.h"
#include "device/cpu/cpu_device.h"
#include "device/cpu/layout_dice.h"
#include "device/cpu/runner.h"
#include "device/roles.h"
#include "sandbox/run_confined.h"

namespace {

using namespace hone;
using device::cpu::Runner;
using device::cpu::RunnerRequest;

constexpr const char* k_kernel = "extern \"C\" int k(float* y) { y[0] = 1.0f; return 0; }\n";

void report(const char* name, int repetitions, const std::function<bool()>& run) {
  const SystemClock clock;
  std::vector<double> milliseconds;
  for (int i = 0; i < repetitions; ++i) {
    const Nanoseconds start = clock.now();
    if (!run()) return fmt::print("{}: failed\n", name);
    milliseconds.push_back(to_seconds(clock.now() - start) * 1e3);
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  const auto at = [&](size_t percent) { return milliseconds[milliseconds.size() * percent / 100]; };
  fmt::print("{:<24} p10 {:.2f} ms, median {:.2f} ms, p90 {:.2f} ms\n", name, at(10), at(50), at(90));
}

Result<device::cpu::Linked> build(device::cpu::CpuDevice& device) {
  device::CompileRequest request;
  request.files = {{"k.cpp", false, k_kernel}};
  request.sources = {"k.cpp"};
  request.entry = "k";
  HONE_TRY(const device::CompileOutcome compiled, device.compile(request));
  if (!compiled.artefact) return Error{ErrorCode::internal, compiled.messages};
  return link_for_load(device.compiler(), device.place(), *compiled.artefact, 1, 0);
}

Status measure(int repetitions) {
  HONE_TRY(const TemporaryFolder cache, TemporaryFolder::make("/tmp", "hone-bench-"));
  Processes processes;
  HONE_TRY(auto device, device::cpu::CpuDevice::open({}, cache.path(), processes));
  HONE_TRY(const device::cpu::Linked linked, build(*device));
  if (!linked.library) return Error{ErrorCode::internal, linked.messages};
  RunnerRequest request;
  request.library = *linked.library;
  request.entry = "k";
  request.parameters = {{device::ParameterKind::buffer, task::DType::f32, 4096, 64, true}};
  report("runner, start and end", repetitions, [&] {
    device::cpu::LayoutDice dice(1);
    const auto started = Runner::start(request, dice);
    return started && started->runner;
  });
  report("/bin/true, confined", repetitions, [] {
    const auto done = sandbox::run_confined({.confinement = {.program = "/bin/true", .argv = {"true"}}});
    return done && done->succeeded();
  });
  return ok();
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto status = device::run_role(argc, argv)) return *status;
  const Status measured = measure(argc > 1 ? std::atoi(argv[1]) : 200);
  if (!measured) fmt::print("{}\n", to_text(measured.error()));
  return measured ? 0 : 1;
}
