#include "stats/periodic.h"

#include <cmath>

#include "stats/estimate.h"

namespace hone::stats {
namespace {

// The whole series' spread serves every phase: robust for the few values of one phase.
PeriodicEffect effect_at(std::span<const double> residuals, std::size_t period, std::size_t phase, double sd) {
  double sum = 0.0;
  double n = 0.0;
  for (std::size_t i = phase; i < residuals.size(); i += period) {
    sum += residuals[i];
    n += 1.0;
  }
  return {period, phase, sum / n, sum / (sd * std::sqrt(n))};
}

}  // namespace

std::optional<PeriodicEffect> strongest_periodic_effect(std::span<const double> residuals) {
  if (residuals.size() < 2 * k_max_period) return std::nullopt;
  const double sd = *standard_deviation(residuals);
  if (!(sd > 0.0)) return std::nullopt;
  PeriodicEffect strongest{k_min_period, 0, 0.0, 0.0};
  for (std::size_t period = k_min_period; period <= k_max_period; ++period) {
    for (std::size_t phase = 0; phase < period; ++phase) {
      const auto effect = effect_at(residuals, period, phase, sd);
      if (std::abs(effect.z) > std::abs(strongest.z)) strongest = effect;
    }
  }
  return strongest;
}

}  // namespace hone::stats
