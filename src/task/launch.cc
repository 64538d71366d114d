#include "task/launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "task/read_launch.h"
#include "task/tensor_map.h"

namespace hone::task {

namespace {

constexpr std::string_view k_axis_names[] = {"x", "y", "z"};

// The widest there is, by language; see widest_limits.
constexpr LaunchLimits k_hip_limits{.cluster_blocks = 1, .shared_bytes = 160 * 1024};
constexpr LaunchLimits k_opencl_limits{
    .threads = 8192, .block = {8192, 8192, 8192}, .grid = {0x7fffffff, 0x7fffffff, 0x7fffffff}, .cluster_blocks = 1};

class Binder {
 public:
  Binder(const BoundCase& bound, const Scope& scope, const LaunchLimits& limits, const Launch& launch, std::string name)
      : bound_(bound), scope_(scope), limits_(limits), launch_(launch), name_(std::move(name)) {}

  Status bind(BoundLaunch& out) const {
    HONE_CHECK(bind_dimensions("grid", launch_.grid, limits_.grid, out.grid));
    HONE_CHECK(bind_dimensions("block", launch_.block, limits_.block, out.block));
    HONE_CHECK(check_threads(out));
    HONE_CHECK(bind_dimensions("cluster", launch_.cluster, limits_.grid, out.cluster));
    HONE_CHECK(check_cluster(out));
    HONE_CHECK(bind_shared(out));
    return check_shared(out);
  }

 private:
  Error broken(std::string_view field, std::string what, std::string help, std::string why = {}) const {
    if (why.empty()) why = "the device would refuse the launch";
    return {ErrorCode::contract,
            fmt::format("{} of {}, case '{}': {}", field, name_, bound_.id, what),
            {},
            std::move(why),
            std::move(help)};
  }

  Result<int64_t> value_of(std::string_view field, const Expression& expression) const {
    auto value = expression.integer(scope_);
    if (value) return value;
    return broken(field, "it cannot be worked out", "correct the expression", "nothing could be launched")
        .because(std::move(value.error()));
  }

  Status bind_dimensions(std::string_view field, const std::vector<Expression>& list, const Dimensions& most,
                         Dimensions& out) const {
    for (size_t i = 0; i < list.size(); ++i) {
      HONE_TRY(const int64_t value, value_of(field, list[i]));
      if (value < 1)
        return broken(field, fmt::format("{} is {} ('{}')", k_axis_names[i], value, list[i].canonical()),
                      "keep it from falling below 1, for example with max(1, …)");
      if (static_cast<uint64_t>(value) > most[i])
        return broken(
            field,
            fmt::format("{} is {} ('{}'), the limit is {}", k_axis_names[i], value, list[i].canonical(), most[i]),
            "spread the work over another dimension, or let each block or thread do more");
      out[i] = static_cast<uint32_t>(value);
    }
    return ok();
  }

  static uint64_t product(const Dimensions& d) { return uint64_t{d[0]} * d[1] * d[2]; }

  // Limits of the dimensions keep the product far below 2^64.
  Status check_threads(const BoundLaunch& out) const {
    if (product(out.block) <= limits_.threads) return ok();
    return broken("block",
                  fmt::format("{} x {} x {} are {} threads, the limit is {}", out.block[0], out.block[1], out.block[2],
                              product(out.block), limits_.threads),
                  "make the block smaller");
  }

  Status check_cluster(const BoundLaunch& out) const {
    for (size_t i = 0; i < out.grid.size(); ++i) {
      if (out.grid[i] % out.cluster[i] == 0) continue;
      return broken(
          "cluster",
          fmt::format("{} is {}, which does not divide a grid of {}", k_axis_names[i], out.cluster[i], out.grid[i]),
          "round the grid up to whole clusters");
    }
    const bool few = out.cluster[0] <= limits_.cluster_blocks && out.cluster[1] <= limits_.cluster_blocks &&
                     out.cluster[2] <= limits_.cluster_blocks && product(out.cluster) <= limits_.cluster_blocks;
    if (few) return ok();
    return broken("cluster",
                  fmt::format("{} x {} x {} blocks, the limit is {}", out.cluster[0], out.cluster[1], out.cluster[2],
                              limits_.cluster_blocks),
                  "make the cluster smaller");
  }

  Status bind_shared(BoundLaunch& out) const {
    if (!launch_.dynamic_shared_bytes) return ok();
    HONE_TRY(const int64_t bytes, value_of("dynamic_shared_bytes", *launch_.dynamic_shared_bytes));
    if (bytes < 0)
      return broken("dynamic_shared_bytes", fmt::format("it is {}", bytes),
                    "keep it from falling below 0, for example with max(0, …)");
    out.dynamic_shared_bytes = static_cast<uint64_t>(bytes);
    return ok();
  }

  Status check_shared(const BoundLaunch& out) const {
    uint64_t sum = out.dynamic_shared_bytes;
    for (const size_t i : out.arguments) {
      const BoundArgument& argument = bound_.arguments[i];
      if (argument.argument->role != Role::local) continue;
      if (argument.bytes == 0)
        return broken("args", fmt::format("the local argument '{}' has 0 bytes", argument.argument->name),
                      "keep it at 1 byte at least, for example with max(1, …)");
      if (__builtin_add_overflow(sum, argument.bytes, &sum)) sum = UINT64_MAX;
    }
    if (sum <= limits_.shared_bytes) return ok();
    return broken(launch_.dynamic_shared_bytes ? "dynamic_shared_bytes" : "args",
                  fmt::format("a block needs {} bytes of shared memory, the limit is {}", sum, limits_.shared_bytes),
                  "use smaller tiles");
  }

  const BoundCase& bound_;
  const Scope& scope_;
  const LaunchLimits& limits_;
  const Launch& launch_;
  std::string name_;
};

// "launch 2 ('reduce')"
std::string name_of_launch(size_t index, const std::string& entry) {
  return fmt::format("launch {} ('{}')", index + 1, entry);
}

Status check_case(const Task& task, const Variant& variant, const Case& one) {
  HONE_TRY(const BoundCase bound, bind_case(task, one, variant));
  const LaunchLimits limits = widest_limits(task.kernel.language);
  if (auto launches = bind_launches(task, variant, bound, limits); !launches) return launches.error();
  const Scope scope = launch_scope(task, variant, bound);
  for (size_t i = 0; i < task.arguments.size(); ++i) {
    if (task.arguments[i].role != Role::tensor_map) continue;
    if (auto map = bind_tensor_map(task, bound, scope, i); !map) return map.error();
  }
  return ok();
}

}  // namespace

LaunchLimits widest_limits(Language language) {
  if (language == Language::opencl) return k_opencl_limits;
  return language == Language::hip ? k_hip_limits : LaunchLimits{};
}

std::vector<Handed> handed(const Task& task, const std::vector<size_t>& arguments) {
  std::vector<Handed> out;
  for (const size_t i : arguments)
    out.push_back({task.arguments[i].name, task.arguments[i].role, task.arguments[i].dtype});
  return out;
}

Result<std::vector<Launch>> launches_of(const Task& task, const Variant& variant) {
  if (variant.launches.empty()) return task.launches;
  return parse_launches(task, variant.launches);
}

std::vector<BoundLaunch> host_calls(const Task& task) {
  std::vector<BoundLaunch> calls;
  for (const Launch& one : calls_of(task)) {
    BoundLaunch& call = calls.emplace_back();
    call.entry = one.entry;
    call.phase = one.phase;
    call.arguments = handed_over(task, one);
  }
  return calls;
}

Scope launch_scope(const Task& task, const Variant& variant, const BoundCase& bound) {
  Scope scope;
  for (const auto& [name, value] : bound.axes) scope[name] = {value};
  scope.merge(scope_of(tunable_values(task, variant)));
  for (const BoundArgument& argument : bound.arguments) {
    const auto* whole = std::get_if<int64_t>(&argument.value);
    if (is_number(argument.argument->role) && !is_floating(argument.argument->dtype) && whole)
      scope.emplace(argument.argument->name, Value{*whole});
  }
  return scope;
}

Result<std::vector<BoundLaunch>> bind_launches(const Task& task, const Variant& variant, const BoundCase& bound,
                                               const LaunchLimits& limits) {
  HONE_TRY(const std::vector<Launch> launches, launches_of(task, variant));
  const Scope scope = launch_scope(task, variant, bound);
  std::vector<BoundLaunch> out;
  for (const Launch& launch : launches) {
    BoundLaunch one;
    one.entry = launch.entry.empty() ? task.kernel.entry : launch.entry;
    one.phase = launch.phase;
    one.cooperative = launch.cooperative;
    one.arguments = handed_over(task, launch);
    HONE_CHECK(Binder(bound, scope, limits, launch, name_of_launch(out.size(), one.entry)).bind(one));
    out.push_back(std::move(one));
  }
  return out;
}

Status check_public_launches(const Task& task, const Variant& variant) {
  for (const Case& one : task.cases) {
    if (!one.hidden) HONE_CHECK(check_case(task, variant, one));
  }
  return ok();
}

}  // namespace hone::task
