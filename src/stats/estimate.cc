#include "stats/estimate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/signed_rank.h"

namespace hone::stats {
namespace {

std::vector<double> sorted(std::span<const double> sample) {
  std::vector<double> values(sample.begin(), sample.end());
  std::sort(values.begin(), values.end());
  return values;
}

double quantile_of_sorted(std::span<const double> values, double q) {
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double share = place - static_cast<double>(below);
  return values[below] + share * (values[above] - values[below]);
}

// All (a + b) / 2, sorted: n(n+1)/2 of them.
std::vector<double> walsh_averages(std::span<const double> sample) {
  std::vector<double> averages;
  averages.reserve(sample.size() * (sample.size() + 1) / 2);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    for (std::size_t j = i; j < sample.size(); ++j) {
      averages.push_back(0.5 * (sample[i] + sample[j]));
    }
  }
  std::sort(averages.begin(), averages.end());
  return averages;
}

double central_moment(std::span<const double> sample, double centre, int power) {
  double sum = 0.0;
  for (const double value : sample) sum += std::pow(value - centre, power);
  return sum / static_cast<double>(sample.size());
}

// Equal values have a mean that is off by a few units in the last place: no spread, though not 0.
double rounding_of(std::span<const double> sample) {
  constexpr double k_relative = 1e-13;
  const auto larger = [](double largest, double value) { return std::max(largest, std::abs(value)); };
  return k_relative * std::accumulate(sample.begin(), sample.end(), 0.0, larger);
}

}  // namespace

double mean(std::span<const double> sample) {
  return std::accumulate(sample.begin(), sample.end(), 0.0) / static_cast<double>(sample.size());
}

double median(std::span<const double> sample) { return quantile(sample, 0.5); }

double quantile(std::span<const double> sample, double q) { return quantile_of_sorted(sorted(sample), q); }

Quantiles quantiles(std::span<const double> sample) {
  const auto values = sorted(sample);
  return {quantile_of_sorted(values, 0.50), quantile_of_sorted(values, 0.95), quantile_of_sorted(values, 0.99)};
}

double trimmed_mean(std::span<const double> sample, double fraction) {
  const auto values = sorted(sample);
  const auto cut = static_cast<std::size_t>(fraction * static_cast<double>(values.size()));
  return mean(std::span(values).subspan(cut, values.size() - 2 * cut));
}

std::optional<double> standard_deviation(std::span<const double> sample) {
  if (sample.size() < 2) return std::nullopt;
  const auto n = static_cast<double>(sample.size());
  return std::sqrt(central_moment(sample, mean(sample), 2) * n / (n - 1.0));
}

std::optional<double> skewness(std::span<const double> sample) {
  if (sample.size() < 3) return std::nullopt;
  const auto n = static_cast<double>(sample.size());
  const double centre = mean(sample);
  const double variance = central_moment(sample, centre, 2);
  if (std::sqrt(variance) <= rounding_of(sample)) return std::nullopt;
  return std::sqrt(n * (n - 1.0)) / (n - 2.0) * central_moment(sample, centre, 3) / std::pow(variance, 1.5);
}

double pseudo_median(std::span<const double> sample) { return quantile_of_sorted(walsh_averages(sample), 0.5); }

Estimate hodges_lehmann(std::span<const double> sample, double confidence) {
  const auto averages = walsh_averages(sample);
  Estimate estimate{quantile_of_sorted(averages, 0.5), std::nullopt};
  if (const auto cut = critical_sum(sample.size(), (1.0 - confidence) / 2.0)) {
    estimate.interval = Interval{averages[*cut], averages[averages.size() - 1 - *cut]};
  }
  return estimate;
}

}  // namespace hone::stats
