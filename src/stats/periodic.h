#pragma once

// Does time depend on where a launch stands in the schedule? For selftest: an honest schedule leaves
// no period in the residuals; a fixed order of arms does (identical kernels then differ).
// Pure; residuals are ln time less the mean of their own arm, case and round, in launch order.
// std::nullopt where there is nothing to find: fewer than 32 residuals, or all equal.

#include <cstddef>
#include <optional>
#include <span>

namespace hone::stats {

struct PeriodicEffect {
  std::size_t period;  // launches
  std::size_t phase;   // launch index modulo period
  double mean;         // of the residuals at this phase, ln units
  double z;            // mean over its standard error
};

// 2 to 16 launches: up to four quads. The strongest |z| of 135 phases; beyond 4 (by chance once in
// 100 clean series) the schedule is at fault.
inline constexpr std::size_t k_min_period = 2;
inline constexpr std::size_t k_max_period = 16;
inline constexpr double k_periodic_z = 4.0;

std::optional<PeriodicEffect> strongest_periodic_effect(std::span<const double> residuals);

}  // namespace hone::stats
