#pragma once

// Does time depend on where a launch stands in the schedule of its round? For selftest: an honest schedule leaves no
// place that is slower in round after round; a fixed order of arms does (identical kernels then differ).
//
// The round is the unit, as in every decision. Within one, what comes at regular times (the timer's tick) falls into
// the same place again and again; but where, is another in each round. So the chance of an effect is found by turning
// every round by a number of launches of its own: that changes nothing about an effect that rounds do not share.
// Pure: same input, same result. std::nullopt where there is nothing to find: a round of fewer than 32 launches among
// them, or all residuals equal.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace hone::stats {

struct PeriodicEffect {
  std::size_t period;  // launches
  std::size_t phase;   // launch index in its round, modulo period
  double mean;         // of the residuals at this phase, ln units
  double p_value;      // how often rounds turned at random show an effect as strong, of any period
};

// 2 to 16 launches: up to four quads. The strongest of 135 phases; below this p (by chance once in 100 clean
// comparisons) the schedule is at fault.
inline constexpr std::size_t k_min_period = 2;
inline constexpr std::size_t k_max_period = 16;
inline constexpr double k_periodic_p = 0.01;

// Of each round its residuals in launch order: ln time less the mean of their own arm and case in that round.
std::optional<PeriodicEffect> strongest_periodic_effect(std::span<const std::vector<double>> rounds);

}  // namespace hone::stats
