#include "device/launcher/calibrate.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "device/launcher/calibrate_source.h"
#include "device/launcher/duties.h"

namespace hone::device::launcher {

namespace {

constexpr uint32_t k_block = 256;
constexpr uint32_t k_blocks = 4096;  // enough for any device, and few enough to be nothing
constexpr uint64_t k_vector_bytes = 16;
constexpr uint64_t k_most_memory_bytes = 1ull << 30;
constexpr int64_t k_cache_passes = 32;
constexpr int64_t k_fewest_steps = 64;  // of each chain
constexpr int64_t k_most_steps = 1 << 16;
constexpr double k_long_enough_seconds = 1e-3;  // for a launch to be nothing beside its work
constexpr int k_chains = 8;
constexpr size_t k_fewest_launches = 5;
constexpr auto k_deadline = std::chrono::seconds(20);

enum Parameter : size_t { from, to, count, passes };

struct Workload {
  std::string kernel;
  std::vector<size_t> arguments;
  uint64_t bytes = k_vector_bytes;  // of each buffer
  int64_t passes = 1;               // or steps
  uint32_t blocks = k_blocks;
  CacheState cache = CacheState::cold;
};

// One arm for all kernels, with buffers of one size.
class Bench {
 public:
  static Result<Bench> open(Device& device, uint64_t bytes);

  Result<double> seconds_of_one(const Workload& work);
  // The shortest launch of at least five.
  Result<double> best_seconds(const Workload& work, double budget_seconds);

 private:
  std::unique_ptr<Arm> arm_;
};

CompileRequest source_for(const Identity& identity) {
  CompileRequest request;
  request.files = {{"hone_calibrate", false, calibrate_text(identity.kind)}};
  request.sources = {"hone_calibrate"};
  return request;
}

ParameterLayout buffer_of(uint64_t bytes) {
  ParameterLayout layout;
  layout.kind = ParameterKind::buffer;
  layout.dtype = task::DType::f32;
  layout.capacity_bytes = bytes;
  return layout;
}

ParameterLayout value_of(task::DType dtype) {
  ParameterLayout layout;
  layout.dtype = dtype;
  return layout;
}

LaunchStep step_of(const Workload& work) {
  LaunchStep step;
  step.entry = work.kernel;
  step.grid[0] = work.blocks;
  step.block[0] = k_block;
  step.arguments = work.arguments;
  return step;
}

const std::vector<Workload>& workloads() {
  // A launch of nothing is that of one block: of more it takes longer.
  static const std::vector<Workload> all{{"hone_nothing", {to}, k_vector_bytes, 1, 1},
                                         {"hone_read", {from, to, count, passes}},
                                         {"hone_copy", {from, to, count, passes}},
                                         {"hone_chains_f32", {to, count}},
                                         {"hone_chains_f64", {to, count}}};
  return all;
}

Workload workload(std::string_view kernel) { return *std::ranges::find(workloads(), kernel, &Workload::kernel); }

Result<Bench> Bench::open(Device& device, uint64_t bytes) {
  HONE_TRY(const CompileOutcome built, device.compile(source_for(device.identity())));
  if (!built.artefact)
    return Error{ErrorCode::environment, "the device's compiler does not build hone's own kernels: " + built.messages};
  LoadRequest request;
  request.artefact = *built.artefact;
  request.context = "calibrate";
  request.parameters = {buffer_of(bytes), buffer_of(bytes), value_of(task::DType::i64), value_of(task::DType::i32)};
  request.sets = 1;
  for (const Workload& work : workloads()) request.steps.push_back(step_of(work));
  HONE_TRY(LoadOutcome loaded, device.load(request));
  if (!loaded.arm)
    return Error{ErrorCode::environment, "hone's own kernels could not be loaded: " + loaded.fault->message};
  Bench bench;
  bench.arm_ = std::move(loaded.arm);
  return bench;
}

StagePlan stage_of(const Workload& work) {
  const auto vectors = static_cast<int64_t>(work.bytes / k_vector_bytes);
  const bool reads = work.arguments.size() == 4;
  StagePlan plan;
  plan.plans.resize(4);
  for (const size_t buffer : {from, to}) {
    plan.plans[buffer].dtype = task::DType::f32;
    plan.plans[buffer].count = work.bytes / sizeof(float);
  }
  plan.roles = {task::Role::scratch, task::Role::scratch, task::Role::scalar, task::Role::scalar};
  plan.scalars = {int64_t{0}, int64_t{0}, reads ? vectors : work.passes, reads ? work.passes : int64_t{0}};
  plan.steps = {step_of(work)};
  plan.cache = work.cache;
  return plan;
}

Result<double> Bench::seconds_of_one(const Workload& work) {
  HONE_CHECK(arm_->stage(0, stage_of(work)));
  HONE_TRY(const LaunchOutcome launched, arm_->launch(std::array{0}, k_deadline));
  if (!launched.fault) return 1e-9 * std::max(*launched.nanoseconds, 1.0);
  return Error{ErrorCode::environment,
               fmt::format("hone's own kernel '{}' does not run: {}", work.kernel, launched.fault->message)};
}

Result<double> Bench::best_seconds(const Workload& work, double budget_seconds) {
  const SystemClock clock;
  const Nanoseconds until = clock.now() + from_seconds(budget_seconds);
  HONE_TRY(double best, seconds_of_one(work));
  for (size_t i = 1; i < k_fewest_launches || clock.now() < until; ++i) {
    HONE_TRY(const double seconds, seconds_of_one(work));
    best = std::min(best, seconds);
  }
  return best;
}

// ---- levels

struct Level {
  std::string name;
  uint64_t capacity_bytes = 0;
  uint64_t buffer_bytes = 0;  // from and to each
  int64_t passes = 1;
  CacheState cache = CacheState::cold;
};

uint64_t rounded_down(uint64_t bytes) { return std::max(bytes / k_vector_bytes, uint64_t{1}) * k_vector_bytes; }

std::vector<Level> levels_of(const Identity& identity) {
  const uint64_t cache = identity.cache_bytes.empty() ? 0 : identity.cache_bytes.back();
  std::vector<Level> levels;
  if (cache > 0) levels.push_back({"L2", cache, rounded_down(cache / 8), k_cache_passes, CacheState::warm});
  const uint64_t memory = rounded_down(std::min(std::max(4 * cache, identity.memory_bytes / 256), k_most_memory_bytes));
  levels.push_back({"memory", identity.memory_bytes, memory, 1, CacheState::cold});
  return levels;
}

Result<double> rate_of(Bench& bench, const Level& level, std::string_view kernel, double bytes_a_pass, double budget) {
  Workload work = workload(kernel);
  work.bytes = level.buffer_bytes;
  work.passes = level.passes;
  work.cache = level.cache;
  HONE_TRY(const double seconds, bench.best_seconds(work, budget));
  return bytes_a_pass * static_cast<double>(level.passes) / seconds;
}

Result<LevelBandwidth> measure(Bench& bench, const Level& level, double budget_seconds) {
  const auto bytes = static_cast<double>(level.buffer_bytes);
  LevelBandwidth out;
  out.level = level.name;
  out.capacity_bytes = level.capacity_bytes;
  HONE_TRY(out.read_bytes_per_second, rate_of(bench, level, "hone_read", bytes, budget_seconds / 2));
  HONE_TRY(out.copy_bytes_per_second, rate_of(bench, level, "hone_copy", 2 * bytes, budget_seconds / 2));
  return out;
}

// ---- arithmetic

struct Arithmetic {
  std::string_view dtype;
  std::string_view kernel;
};
// By ordinary multiply-adds, and named so: a device's matrix units may do the same sums faster, so no floor follows
// from these.
constexpr Arithmetic k_arithmetic[] = {{"f32 fma", "hone_chains_f32"}, {"f64 fma", "hone_chains_f64"}};

// Devices differ by a thousand times.
Result<int64_t> steps_for(Bench& bench, Workload work) {
  for (work.passes = k_fewest_steps; work.passes < k_most_steps; work.passes *= 4) {
    HONE_TRY(const double seconds, bench.seconds_of_one(work));
    if (seconds >= k_long_enough_seconds) break;
  }
  return work.passes;
}

Result<ArithmeticRate> measure(Bench& bench, const Arithmetic& kind, double budget_seconds) {
  Workload work = workload(kind.kernel);
  HONE_TRY(work.passes, steps_for(bench, work));
  HONE_TRY(const double seconds, bench.best_seconds(work, budget_seconds));
  const double operations = 2.0 * k_chains * static_cast<double>(work.passes) * k_blocks * k_block;
  ArithmeticRate out;
  out.dtype = kind.dtype;
  out.flops_per_second = operations / seconds;
  return out;
}

}  // namespace

std::string calibrate_text(std::string_view language) {
  return prelude_text(language) + std::string(k_calibrate_source);
}

// Each level in buffers of its own: what a small content leaves of a large one would be guarded in every launch.
Result<Ceilings> calibrate(Device& device, double budget_seconds) {
  const std::vector<Level> levels = levels_of(device.identity());
  const double share = budget_seconds / static_cast<double>(levels.size() + std::size(k_arithmetic) + 1);
  Ceilings ceilings;
  ceilings.device_key = device.identity().key().hex();
  for (const Level& level : levels) {
    HONE_TRY(Bench bench, Bench::open(device, level.buffer_bytes));
    HONE_TRY(LevelBandwidth measured, measure(bench, level, share));
    ceilings.bandwidth.push_back(std::move(measured));
  }
  HONE_TRY(Bench bench, Bench::open(device, k_vector_bytes));
  for (const Arithmetic& kind : k_arithmetic) {
    HONE_TRY(ArithmeticRate measured, measure(bench, kind, share));
    ceilings.arithmetic.push_back(std::move(measured));
  }
  HONE_TRY(ceilings.empty_launch_seconds, bench.best_seconds(workload("hone_nothing"), share));
  return ceilings;
}

Result<LevelBandwidth> measure_level(Device& device, std::string_view level, double budget_seconds) {
  for (const Level& one : levels_of(device.identity())) {
    if (one.name != level) continue;
    HONE_TRY(Bench bench, Bench::open(device, one.buffer_bytes));
    return measure(bench, one, budget_seconds);
  }
  return Error{ErrorCode::environment, fmt::format("this device has no level '{}'", level)};
}

Result<double> measure_empty_launch(Device& device, double budget_seconds) {
  HONE_TRY(Bench bench, Bench::open(device, k_vector_bytes));
  return bench.best_seconds(workload("hone_nothing"), budget_seconds);
}

}  // namespace hone::device::launcher
