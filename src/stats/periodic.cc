#include "stats/periodic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "stats/estimate.h"

namespace hone::stats {
namespace {

constexpr std::size_t k_turnings = 999;  // p-values down to 0.001
constexpr std::uint64_t k_seed = 1;

struct Place {
  std::size_t period;
  std::size_t phase;
};

struct Sum {
  double sum = 0.0;
  double n = 0.0;
};

// Where a period's phases begin when those of all shorter ones come first.
constexpr std::size_t first(std::size_t period) { return period * (period - 1) / 2 - 1; }

// Of one round the sums of its residuals at every phase of every period.
class PhaseSums {
 public:
  explicit PhaseSums(std::span<const double> residuals) {
    for (std::size_t period = k_min_period; period <= k_max_period; ++period) {
      for (std::size_t i = 0; i < residuals.size(); ++i) {
        Sum& sum = sums_[first(period) + i % period];
        sum.sum += residuals[i];
        sum.n += 1.0;
      }
    }
  }

  const Sum& at(Place place, std::size_t turned_by) const {
    return sums_[first(place.period) + (place.phase + turned_by) % place.period];
  }

 private:
  std::array<Sum, first(k_max_period + 1)> sums_{};
};

struct Strongest {
  Place place{k_min_period, 0};
  double mean = 0.0;
  double strength = 0.0;  // |mean| over what it would be by chance if launches were independent
};

Strongest strongest_in(std::span<const PhaseSums> rounds, std::span<const std::size_t> turned_by) {
  Strongest strongest;
  for (std::size_t period = k_min_period; period <= k_max_period; ++period) {
    for (std::size_t phase = 0; phase < period; ++phase) {
      Sum all;
      for (std::size_t r = 0; r < rounds.size(); ++r) {
        const Sum& sum = rounds[r].at({period, phase}, turned_by[r]);
        all.sum += sum.sum;
        all.n += sum.n;
      }
      const double strength = std::abs(all.sum) / std::sqrt(all.n);
      if (strength > strongest.strength) strongest = {{period, phase}, all.sum / all.n, strength};
    }
  }
  return strongest;
}

bool has_something_to_find(std::span<const std::vector<double>> rounds) {
  if (rounds.empty()) return false;
  const auto is_short = [](const auto& round) { return round.size() < 2 * k_max_period; };
  if (std::ranges::any_of(rounds, is_short)) return false;
  return std::ranges::any_of(rounds, [](const auto& round) { return *standard_deviation(round) > 0.0; });
}

}  // namespace

std::optional<PeriodicEffect> strongest_periodic_effect(std::span<const std::vector<double>> rounds) {
  if (!has_something_to_find(rounds)) return std::nullopt;
  std::vector<PhaseSums> sums;
  for (const std::vector<double>& round : rounds) sums.emplace_back(std::span(round));
  std::vector<std::size_t> turned_by(rounds.size(), 0);
  const Strongest found = strongest_in(sums, turned_by);
  std::mt19937_64 random(k_seed);
  std::size_t as_strong = 0;
  for (std::size_t i = 0; i < k_turnings; ++i) {
    for (std::size_t r = 0; r < rounds.size(); ++r) turned_by[r] = random() % rounds[r].size();
    as_strong += strongest_in(sums, turned_by).strength >= found.strength ? 1 : 0;
  }
  const double p_value = static_cast<double>(as_strong + 1) / static_cast<double>(k_turnings + 1);
  return PeriodicEffect{found.place.period, found.place.phase, found.mean, p_value};
}

}  // namespace hone::stats
