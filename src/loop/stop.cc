#include "loop/stop.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "stats/rule.h"

namespace hone::loop {

namespace {

using campaign::Experiment;
using campaign::ExperimentStatus;
using campaign::StopStatus;

bool is_iteration(const Experiment& one) { return one.decided && one.candidate; }

bool improved(const Experiment& one) {
  return one.decided->status == ExperimentStatus::improved || one.decided->status == ExperimentStatus::target_met;
}

// The iterations of this run, newest first.
std::vector<const Experiment*> newest(const campaign::State& state) {
  std::vector<const Experiment*> list;
  for (size_t i = state.run_first_experiment; i < state.experiments.size(); ++i) {
    if (is_iteration(state.experiments[i])) list.push_back(&state.experiments[i]);
  }
  std::reverse(list.begin(), list.end());
  return list;
}

std::optional<Stop> target_met(const StopInputs& in) {
  if (in.judgement_awaited) return std::nullopt;
  if (!in.best_seconds || !in.target_seconds || *in.best_seconds > *in.target_seconds) return std::nullopt;
  return Stop{StopStatus::target_met, fmt::format("{} is within the target of {}", human_time(*in.best_seconds),
                                                  human_time(*in.target_seconds))};
}

std::optional<Stop> at_floor(const StopInputs& in) {
  if (in.judgement_awaited) return std::nullopt;
  if (!in.fraction_of_floor || *in.fraction_of_floor < k_at_floor_fraction) return std::nullopt;
  return Stop{StopStatus::at_floor, fmt::format("{} of the physical floor is reached", percent(*in.fraction_of_floor))};
}

std::optional<Stop> out_of_budget(const StopInputs& in) {
  if (in.time_left && *in.time_left <= in.needed_for_next)
    return Stop{StopStatus::budget, "the time limit leaves no room for another experiment"};
  if (in.device_seconds_limit && in.state->spent_device_seconds >= *in.device_seconds_limit)
    return Stop{StopStatus::budget, fmt::format("{:.1f} s of device time are spent", in.state->spent_device_seconds)};
  return std::nullopt;
}

std::optional<Stop> max_iterations(const StopInputs& in) {
  if (!in.iteration_limit || iterations(*in.state) < *in.iteration_limit) return std::nullopt;
  return Stop{StopStatus::max_iterations,
              fmt::format("{} of {} iterations are done", iterations(*in.state), *in.iteration_limit)};
}

std::optional<Stop> plateau(const StopInputs& in) {
  const auto list = newest(*in.state);
  const auto run =
      std::find_if(list.begin(), list.end(), [](const Experiment* e) { return improved(*e); }) - list.begin();
  if (static_cast<uint64_t>(run) >= k_plateau_experiments)
    return Stop{StopStatus::plateau, fmt::format("{} iterations in a row brought nothing", run)};
  const double delta = stats::Rule{}.delta_fraction;
  uint64_t small = 0;
  for (const Experiment* one : list) {
    if (!improved(*one)) continue;
    if (one->decided->delta.value_or(1.0) >= delta) break;
    ++small;
  }
  if (small >= k_plateau_promotions)
    return Stop{StopStatus::plateau, fmt::format("{} promotions in a row gained less than δ", small)};
  return std::nullopt;
}

constexpr std::optional<Stop> (*k_rules[])(const StopInputs&) = {target_met, at_floor, out_of_budget, max_iterations,
                                                                 plateau};

}  // namespace

uint64_t iterations(const campaign::State& state) { return newest(state).size(); }

std::optional<Stop> check_stop(const StopInputs& inputs) {
  for (const auto rule : k_rules) {
    if (auto stop = rule(inputs)) return stop;
  }
  return std::nullopt;
}

}  // namespace hone::loop
