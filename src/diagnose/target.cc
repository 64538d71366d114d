#include "diagnose/target.h"

#include <fmt/format.h>

#include <cmath>

namespace hone::diagnose {
namespace {

using task::Metric;
using task::Objective;

// The larger of the memory and the arithmetic term: the empty launch is no peak.
const FloorTerm* peak_term(const std::optional<Floor>& floor) {
  if (!floor) return nullptr;
  const FloorTerm* memory = floor->largest(Resource::memory);
  const FloorTerm* arithmetic = floor->largest(Resource::arithmetic);
  if (memory == nullptr || arithmetic == nullptr) return memory != nullptr ? memory : arithmetic;
  return memory->seconds >= arithmetic->seconds ? memory : arithmetic;
}

double operations_of(const task::BoundCase& one) {
  double sum = 0;
  for (const auto& [dtype, operations] : one.flops) sum += operations;
  return sum;
}

// A rate is amount ÷ seconds × scale; the amount of pct_of_peak is the time that the peak would take.
std::optional<double> amount_of(Metric metric, const TimedCase& one) {
  const Traffic traffic = traffic_of(*one.bound);
  const FloorTerm* peak = peak_term(one.floor);
  double amount = 1.0;
  if (metric == Metric::gbps) amount = traffic.read_bytes + traffic.written_bytes;
  if (metric == Metric::tflops) amount = operations_of(*one.bound);
  if (metric == Metric::pct_of_peak) amount = peak != nullptr ? peak->seconds : 0.0;
  if (amount <= 0 || one.seconds <= 0) return {};
  return amount;
}

double scale_of(Metric metric) {
  switch (metric) {
    case Metric::latency:
      return 1e6;
    case Metric::gbps:
      return 1e-9;
    case Metric::tflops:
      return 1e-12;
    case Metric::pct_of_peak:
      return 100.0;
  }
  return 1.0;
}

// Latency is a time, not a rate.
double combine(Metric metric, double amount, double seconds) {
  return scale_of(metric) * (metric == Metric::latency ? seconds : amount / seconds);
}

std::optional<double> geometric_mean(Metric metric, const std::vector<TimedCase>& cases) {
  double sum = 0;
  double weights = 0;
  for (const TimedCase& one : cases) {
    const auto amount = amount_of(metric, one);
    if (!amount) return {};
    sum += one.bound->weight * std::log(combine(metric, *amount, one.seconds));
    weights += one.bound->weight;
  }
  if (weights <= 0) return {};
  return std::exp(sum / weights);
}

std::optional<double> of_totals(Metric metric, const std::vector<TimedCase>& cases) {
  double amounts = 0;
  double seconds = 0;
  for (const TimedCase& one : cases) {
    const auto amount = amount_of(metric, one);
    if (!amount) return {};
    amounts += one.bound->weight * *amount;
    seconds += one.bound->weight * one.seconds;
  }
  if (seconds <= 0) return {};
  return combine(metric, amounts, seconds);
}

std::string_view peak_name(Resource resource) {
  return resource == Resource::memory ? "memory bandwidth" : "arithmetic rate";
}

std::optional<TargetGoal> derived_goal(const task::Target& target, const std::vector<TimedCase>& cases) {
  for (const TimedCase& one : cases) {
    const FloorTerm* peak = peak_term(one.floor);
    if (peak == nullptr) continue;
    return TargetGoal{
        target.objective, Metric::pct_of_peak, k_derived_percent_of_peak, TargetOrigin::derived,
        fmt::format("{:.0f} % of the calibrated {} (derived)", k_derived_percent_of_peak, peak_name(peak->resource))};
  }
  return {};
}

}  // namespace

std::optional<TargetGoal> goal_of(const task::Target& target, const std::vector<TimedCase>& cases) {
  if (!target.value) return derived_goal(target, cases);
  return TargetGoal{target.objective, target.metric, *target.value, TargetOrigin::contract, "[target] of the contract"};
}

std::optional<double> figure_of(Objective objective, Metric metric, const std::vector<TimedCase>& cases) {
  return objective == Objective::geomean ? geometric_mean(metric, cases) : of_totals(metric, cases);
}

std::optional<TargetState> evaluate(const TargetGoal& goal, const std::vector<TimedCase>& cases) {
  const auto reached = figure_of(goal.objective, goal.metric, cases);
  if (!reached || goal.value <= 0) return {};
  TargetState state;
  state.reached = *reached;
  state.gap = goal.metric == Metric::latency ? *reached - goal.value : goal.value - *reached;
  state.gap_fraction = state.gap / goal.value;
  state.met = state.gap <= 0;
  return state;
}

}  // namespace hone::diagnose
