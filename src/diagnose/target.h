// The target of a campaign: what [target] asks for, or 70 % of the calibrated ceiling of the binding resource when it
// asks for nothing. Units as in task.toml: latency in microseconds (lower is better), gbps in 10^9 bytes/s, tflops in
// 10^12 operations/s, pct_of_peak in percent of the memory or arithmetic ceiling, whichever binds (higher is better).
// Over several cases the objective decides: geomean = weighted geometric mean of the cases' figures; total_time =
// weighted totals, so that a rate is Σ amount ÷ Σ time. Absent when a case lacks what the metric needs. Pure functions,
// plain values; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/enums.h"
#include "diagnose/roofline.h"
#include "task/task.h"
#include "task/types.h"

namespace hone::diagnose {

enum class TargetOrigin { contract, derived };

struct TargetGoal {
  task::Objective objective = task::Objective::geomean;
  task::Metric metric = task::Metric::latency;
  double value = 0;
  TargetOrigin origin = TargetOrigin::contract;
  std::string reason;  // for the header and the verdict: "70 % of the calibrated memory bandwidth (derived)"
};

// What a timed case offers to a metric.
struct TimedCase {
  const task::BoundCase* bound = nullptr;  // weight, traffic, operations
  std::optional<Floor> floor;
  double seconds = 0;
};

struct TargetState {
  double reached = 0;  // in the metric's unit
  bool met = false;
  double gap = 0;           // what is missing, in the metric's unit; 0 or below when met
  double gap_fraction = 0;  // gap ÷ goal
};

constexpr double k_derived_percent_of_peak = 70.0;  // REQUIREMENTS T40

// The contract's goal, else the derived one, else nothing: no ceiling is known for any case.
std::optional<TargetGoal> goal_of(const task::Target& target, const std::vector<TimedCase>& cases);

// The metric's value over the cases.
std::optional<double> figure_of(task::Objective objective, task::Metric metric, const std::vector<TimedCase>& cases);
std::optional<TargetState> evaluate(const TargetGoal& goal, const std::vector<TimedCase>& cases);

template <class A>
void describe(A& a, TargetGoal& v) {
  a.field("objective", v.objective);
  a.field("metric", v.metric);
  a.field("value", v.value);
  a.field("origin", v.origin);
  a.field("reason", v.reason);
}

template <class A>
void describe(A& a, TargetState& v) {
  a.field("reached", v.reached);
  a.field("met", v.met);
  a.field("gap", v.gap);
  a.field("gap_fraction", v.gap_fraction);
}

}  // namespace hone::diagnose

namespace hone {
template <>
struct EnumNames<diagnose::TargetOrigin> {
  using T = diagnose::TargetOrigin;
  static constexpr EnumName<T> table[] = {{T::contract, "contract"}, {T::derived, "derived"}};
};
}  // namespace hone
