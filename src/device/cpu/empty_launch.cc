#include "device/cpu/empty_launch.h"

#include <algorithm>
#include <array>
#include <vector>

namespace hone::device::cpu {

namespace {

constexpr size_t k_launches = 200;
constexpr auto k_deadline = std::chrono::seconds(5);

CompileRequest empty_kernel(int threads) {
  CompileRequest request;
  request.files = {{"empty.cpp", false, "extern \"C\" int hone_empty(int n) { return n; }\n"}};
  request.sources = {"empty.cpp"};
  request.entry = "hone_empty";
  request.threads = threads;
  return request;
}

LoadRequest load_empty(const Artefact& artefact, int threads) {
  LoadRequest load;
  load.artefact = artefact;
  load.entry = "hone_empty";
  load.parameters.resize(1);
  load.parameters[0].dtype = task::DType::i32;
  load.sets = 1;
  load.threads = threads;
  return load;
}

StagePlan stage_empty() {
  StagePlan plan;
  plan.plans.resize(1);
  plan.plans[0].dtype = task::DType::i32;
  plan.roles = {task::Role::size};
  plan.scalars = {task::BoundValue{int64_t{0}}};
  plan.cache = CacheState::warm;
  return plan;
}

}  // namespace

Result<double> measure_empty_launch(CpuDevice& device, int threads) {
  HONE_TRY(const CompileOutcome compiled, device.compile(empty_kernel(threads)));
  if (!compiled.artefact)
    return Error{ErrorCode::environment, "the compiler does not build an empty kernel: " + compiled.messages};
  HONE_TRY(const LoadOutcome loaded, device.load(load_empty(*compiled.artefact, threads)));
  if (!loaded.arm)
    return Error{ErrorCode::environment, "an empty kernel could not be loaded: " + loaded.fault->message};
  HONE_CHECK(loaded.arm->stage(0, stage_empty()));
  std::vector<double> times_ns;
  for (size_t i = 0; i < k_launches; ++i) {
    HONE_TRY(const LaunchOutcome launched, loaded.arm->launch(std::array{0}, k_deadline));
    if (launched.nanoseconds) times_ns.push_back(*launched.nanoseconds);
  }
  if (times_ns.empty()) return Error{ErrorCode::environment, "an empty kernel could not be launched"};
  return 1e-9 * *std::min_element(times_ns.begin(), times_ns.end());
}

}  // namespace hone::device::cpu
