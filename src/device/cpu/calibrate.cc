#include "device/cpu/calibrate.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>

#include "base/clock.h"
#include "device/cpu/calibrate_kernels.h"
#include "device/cpu/flush.h"
#include "device/cpu/team.h"

namespace hone::device::cpu {
namespace {

constexpr uint64_t k_pass_bytes = 32ull << 20;     // per repetition in a cache: about a millisecond at 50 GB/s
constexpr uint64_t k_arithmetic_passes = 200'000;  // 12 chains deep: about a millisecond
constexpr uint64_t k_assumed_last_level_bytes = 32ull << 20;
constexpr uint64_t k_granule_bytes = 4096;

// What one thread works on at one level.
struct Workload {
  uint64_t bytes = 0;  // read and written together, per pass and thread
  uint64_t passes = 1;
  bool flushed = false;  // brought to memory before each repetition
};

struct Level {
  std::string name;
  uint64_t capacity_bytes = 0;  // of all chosen cores together
  std::vector<Workload> workloads;
};

// Page-aligned memory in large pages where the system has them; unmapped with the last copy of the pointer.
std::shared_ptr<std::byte> allocate(uint64_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  madvise(memory, bytes, MADV_HUGEPAGE);
  std::memset(memory, 1, bytes);
  return {static_cast<std::byte*>(memory), [bytes](std::byte* at) { munmap(at, bytes); }};
}

uint64_t rounded_down(uint64_t bytes) { return std::max(bytes / k_granule_bytes, uint64_t{1}) * k_granule_bytes; }

// ---- levels
// -----------------------------------------------------------------------------------------------------------

size_t sharers(const Cache& cache, const std::vector<int>& cores) {
  const auto shares = [&](int core) {
    return std::find(cache.shared_by.begin(), cache.shared_by.end(), core) != cache.shared_by.end();
  };
  return static_cast<size_t>(std::max<std::ptrdiff_t>(std::count_if(cores.begin(), cores.end(), shares), 1));
}

// Half of a thread's share of the cache, so that neither the stack nor a neighbour's lines push the working set out.
Level cache_level(const Cache& cache, const std::vector<int>& cores) {
  const size_t together = sharers(cache, cores);
  const uint64_t bytes = rounded_down(cache.size_bytes / together / 2);
  return {fmt::format("L{}", cache.level),
          cache.size_bytes * (cores.size() / together),
          {{bytes, std::max(k_pass_bytes / bytes, uint64_t{1}), false}}};
}

Level memory_level(const Topology& topology, const std::vector<int>& cores) {
  const uint64_t last = topology.caches.empty() ? k_assumed_last_level_bytes : topology.caches.back().size_bytes;
  const uint64_t most = std::max(topology.memory_bytes / 8, uint64_t{16} << 20);
  const uint64_t streamed = rounded_down(std::min(4 * last, most) / cores.size());
  const uint64_t cold = rounded_down(std::min(last / 4, most) / cores.size());
  return {"memory", topology.memory_bytes, {{streamed, 1, false}, {cold, 1, true}}};
}

std::vector<Level> levels_of(const Topology& topology, const std::vector<int>& cores) {
  std::vector<Level> levels;
  for (const Cache& cache : topology.caches) levels.push_back(cache_level(cache, cores));
  levels.push_back(memory_level(topology, cores));
  return levels;
}

// ---- one figure
// -------------------------------------------------------------------------------------------------------

struct Bench {
  std::vector<int> cores;
  double budget_seconds = 0;  // of one figure
};

Error out_of_memory() {
  return Error{ErrorCode::environment,
               "not enough memory to calibrate in",
               {},
               {},
               "end other programs, or raise the memory limit"};
}

using Pass = std::function<void(std::byte* memory, uint64_t bytes)>;

Result<double> bytes_per_second(const Bench& bench, const Workload& load, const Pass& pass) {
  if (!allocate(load.bytes * bench.cores.size())) return out_of_memory();
  const auto make = [&] {
    const auto memory = allocate(load.bytes);
    Work work;
    if (load.flushed) work.prepare = [=] { flush_to_memory({memory.get(), load.bytes}); };
    work.run = [=] {
      for (uint64_t k = 0; memory && k < load.passes; ++k) pass(memory.get(), load.bytes);
    };
    return work;
  };
  HONE_TRY(const double seconds, best_seconds(bench.cores, make, bench.budget_seconds));
  return static_cast<double>(load.bytes * load.passes * bench.cores.size()) / seconds;
}

// The best over workloads and kernels; the budget is divided among them.
Result<double> best_rate(const Bench& bench, const Level& level, const std::vector<Pass>& passes) {
  Bench share = bench;
  share.budget_seconds /= static_cast<double>(std::max(passes.size() * level.workloads.size(), size_t{1}));
  double best = 0;
  for (const Workload& load : level.workloads) {
    for (const Pass& pass : passes) {
      HONE_TRY(const double rate, bytes_per_second(share, load, pass));
      best = std::max(best, rate);
    }
  }
  return best;
}

std::vector<Pass> copy_passes(Stores stores) {
  std::vector<Pass> passes;
  for (const CopyKernel& kernel : copy_kernels()) {
    if (kernel.stores != stores) continue;
    passes.push_back(
        [run = kernel.run](std::byte* memory, uint64_t bytes) { run(memory + bytes / 2, memory, bytes / 2); });
  }
  return passes;
}

std::vector<Pass> read_passes() {
  std::vector<Pass> passes;
  for (const ReadKernel& kernel : read_kernels()) {
    passes.push_back([run = kernel.run](std::byte* memory, uint64_t bytes) {
      volatile uint64_t sink = run(memory, bytes);
      static_cast<void>(sink);
    });
  }
  return passes;
}

// Three figures; non-temporal stores are absent where the processor has none.
Result<LevelBandwidth> measure(const Bench& bench, const Level& level) {
  Bench third = bench;
  third.budget_seconds /= 3;
  LevelBandwidth result;
  result.level = level.name;
  result.capacity_bytes = level.capacity_bytes;
  HONE_TRY(result.ordinary_copy_bytes_per_second, best_rate(third, level, copy_passes(Stores::ordinary)));
  if (const auto passes = copy_passes(Stores::non_temporal); !passes.empty()) {
    HONE_TRY(result.non_temporal_copy_bytes_per_second, best_rate(third, level, passes));
  }
  result.copy_bytes_per_second =
      std::max(*result.ordinary_copy_bytes_per_second, result.non_temporal_copy_bytes_per_second.value_or(0.0));
  HONE_TRY(result.read_bytes_per_second, best_rate(third, level, read_passes()));
  return result;
}

Result<double> operations_per_second(const Bench& bench, const ArithmeticKernel& kernel) {
  const auto make = [&] {
    Work work;
    work.run = [run = kernel.run] {
      volatile double sink = run(k_arithmetic_passes);
      static_cast<void>(sink);
    };
    return work;
  };
  HONE_TRY(const double seconds, best_seconds(bench.cores, make, bench.budget_seconds));
  return kernel.operations_per_pass * static_cast<double>(k_arithmetic_passes * bench.cores.size()) / seconds;
}

std::vector<ArithmeticKernel> kernels_of(std::string_view dtype) {
  std::vector<ArithmeticKernel> kernels = arithmetic_kernels();
  std::erase_if(kernels, [&](const ArithmeticKernel& one) { return name_of(one.dtype) != dtype; });
  return kernels;
}

Result<ArithmeticRate> measure(const Bench& bench, std::string_view dtype) {
  const auto kernels = kernels_of(dtype);
  if (kernels.empty()) return Error{ErrorCode::usage, fmt::format("no ceiling is measured for the type '{}'", dtype)};
  Bench share = bench;
  share.budget_seconds /= static_cast<double>(kernels.size());
  ArithmeticRate best{std::string(dtype), 0, 0};
  for (const ArithmeticKernel& kernel : kernels) {
    HONE_TRY(const double rate, operations_per_second(share, kernel));
    if (rate > best.flops_per_second) best = {std::string(dtype), rate, kernel.vector_bits};
  }
  return best;
}

// ---- the chosen cores
// -------------------------------------------------------------------------------------------------

constexpr std::string_view k_dtypes[] = {"f32", "f64", "i32"};

Result<std::vector<int>> cores_of(const Identity& identity, int threads) {
  const auto wanted = static_cast<size_t>(std::max(threads, 1));
  if (identity.cores.size() < wanted) {
    return Error{ErrorCode::usage, fmt::format("{} threads on {} cores", wanted, identity.cores.size())};
  }
  return std::vector<int>(identity.cores.begin(), identity.cores.begin() + static_cast<std::ptrdiff_t>(wanted));
}

bool has_kernel(std::string_view dtype) { return !kernels_of(dtype).empty(); }

}  // namespace

Result<Ceilings> calibrate(const Identity& identity, int threads, double budget_seconds) {
  HONE_TRY(const Topology topology, read_topology());
  HONE_TRY(const std::vector<int> cores, cores_of(identity, threads));
  const auto levels = levels_of(topology, cores);
  const Bench bench{cores, budget_seconds / static_cast<double>(levels.size() + std::size(k_dtypes))};
  Ceilings ceilings;
  ceilings.device_key = identity.key().hex();
  ceilings.measured_at = to_iso8601(SystemClock().wall_time());
  ceilings.threads = static_cast<int>(cores.size());
  for (const Level& level : levels) {
    HONE_TRY(LevelBandwidth bandwidth, measure(bench, level));
    ceilings.bandwidth.push_back(std::move(bandwidth));
  }
  for (const std::string_view dtype : k_dtypes) {
    if (!has_kernel(dtype)) continue;
    HONE_TRY(ArithmeticRate rate, measure(bench, dtype));
    ceilings.arithmetic.push_back(std::move(rate));
  }
  return ceilings;
}

Result<LevelBandwidth> measure_level(const Identity& identity, int threads, std::string_view level,
                                     double budget_seconds) {
  HONE_TRY(const Topology topology, read_topology());
  HONE_TRY(const std::vector<int> cores, cores_of(identity, threads));
  for (const Level& one : levels_of(topology, cores)) {
    if (one.name == level) return measure(Bench{cores, budget_seconds}, one);
  }
  return Error{ErrorCode::usage, fmt::format("this machine names no level '{}'", level)};
}

Result<ArithmeticRate> measure_arithmetic(const Identity& identity, int threads, std::string_view dtype,
                                          double budget_seconds) {
  HONE_TRY(const std::vector<int> cores, cores_of(identity, threads));
  return measure(Bench{cores, budget_seconds}, dtype);
}

}  // namespace hone::device::cpu
