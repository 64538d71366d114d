// Stop rules: when a campaign's session ends, and why. Pure; every rule has its own status (DESIGN.md 3).
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "campaign/state.h"

namespace hone::loop {

// Origin: five consecutive non-promotions in several published loops; five experiments are what a person watches
// patiently.
inline constexpr uint64_t k_plateau_experiments = 5;
inline constexpr uint64_t k_plateau_promotions = 3;  // in a row, each gaining less than δ
inline constexpr double k_at_floor_fraction = 0.95;  // what is left is within the ceilings' own error
inline constexpr uint64_t k_default_iterations = 5;

struct Stop {
  campaign::StopStatus status = campaign::StopStatus::exhausted;
  std::string reason;
};

struct StopInputs {
  const campaign::State* state = nullptr;
  std::optional<double> best_seconds;  // of the incumbent
  std::optional<double> target_seconds;
  std::optional<double> fraction_of_floor;
  std::optional<Nanoseconds> time_left;
  Nanoseconds needed_for_next{0};  // what another experiment is expected to take
  std::optional<uint64_t> iteration_limit;
  std::optional<double> device_seconds_limit;
  // Somebody wrote a candidate and waits for its judgement: target and floor, which an earlier run may have reached, do
  // not stop this one before.
  bool judgement_awaited = false;
};

// The first rule that holds, in the order of their weight: target, floor, budget, iterations, plateau.
std::optional<Stop> check_stop(const StopInputs& inputs);

// Experiments of this run that were offered for judgement and decided; a search that offered nothing is not an
// iteration.
uint64_t iterations(const campaign::State& state);

}  // namespace hone::loop
