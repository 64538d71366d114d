#include "stats/tails.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace hone::stats {
namespace {

constexpr double k_precision = std::numeric_limits<double>::epsilon();
constexpr int k_max_terms = 10'000;
constexpr int k_bisections = 60;  // halves [0, 1] to below 1e-18
constexpr double k_min_expected = 5.0;

double gamma_front(double a, double x) { return std::exp(a * std::log(x) - x - std::lgamma(a)); }

// Regularised lower incomplete gamma by its series; converges fast for x < a + 1
// (Abramowitz and Stegun 6.5.29).
double lower_gamma_series(double a, double x) {
  double term = 1.0 / a;
  double sum = term;
  for (int i = 1; i < k_max_terms && term > sum * k_precision; ++i) {
    term *= x / (a + i);
    sum += term;
  }
  return sum * gamma_front(a, x);
}

// Upper incomplete gamma by its continued fraction (Abramowitz and Stegun 6.5.31), evaluated by
// Lentz's method; for x >= a + 1 every denominator is positive.
double upper_gamma_fraction(double a, double x) {
  double b = x + 1.0 - a;
  double c = std::numeric_limits<double>::max();
  double d = 1.0 / b;
  double fraction = d;
  double change = 0.0;
  for (int i = 1; i < k_max_terms && std::abs(change - 1.0) > k_precision; ++i) {
    const double numerator = -i * (i - a);
    b += 2.0;
    d = 1.0 / (numerator * d + b);
    c = b + numerator / c;
    change = c * d;
    fraction *= change;
  }
  return fraction * gamma_front(a, x);
}

double binomial_probability(std::size_t successes, std::size_t trials, double rate) {
  const auto k = static_cast<double>(successes);
  const auto n = static_cast<double>(trials);
  const double ln_ways = std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
  return std::exp(ln_ways + k * std::log(rate) + (n - k) * std::log1p(-rate));
}

struct Class {
  double seen = 0.0;
  double expected = 0.0;
};

void absorb(Class& into, const Class& from) {
  into.seen += from.seen;
  into.expected += from.expected;
}

std::vector<Class> merged_classes(std::span<const std::size_t> counts, std::span<const double> law) {
  const auto total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  std::vector<Class> classes;
  Class open;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    absorb(open, {static_cast<double>(counts[i]), total * law[i]});
    if (open.expected < k_min_expected) continue;
    classes.push_back(open);
    open = {};
  }
  if (!classes.empty()) absorb(classes.back(), open);
  return classes;
}

}  // namespace

double normal_upper_tail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

double chi_square_upper_tail(double value, double degrees) {
  const double a = degrees / 2.0;
  const double x = value / 2.0;
  if (!(x > 0.0)) return 1.0;
  return x < a + 1.0 ? 1.0 - lower_gamma_series(a, x) : upper_gamma_fraction(a, x);
}

double binomial_lower_tail(std::size_t successes, std::size_t trials, double rate) {
  if (successes >= trials || !(rate > 0.0)) return 1.0;
  if (!(rate < 1.0)) return 0.0;
  double sum = 0.0;
  for (std::size_t k = 0; k <= successes; ++k) sum += binomial_probability(k, trials, rate);
  return std::min(sum, 1.0);
}

double rate_upper_bound(std::size_t successes, std::size_t trials, double confidence) {
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < k_bisections; ++i) {
    const double rate = 0.5 * (low + high);
    const bool excluded = binomial_lower_tail(successes, trials, rate) < 1.0 - confidence;
    (excluded ? high : low) = rate;
  }
  return high;
}

ChiSquare chi_square_test(std::span<const std::size_t> counts, std::span<const double> law) {
  const auto classes = merged_classes(counts, law);
  if (classes.size() < 2) return {};
  ChiSquare result;
  for (const Class& c : classes) {
    result.value += (c.seen - c.expected) * (c.seen - c.expected) / c.expected;
  }
  result.degrees = static_cast<double>(classes.size() - 1);
  result.p = chi_square_upper_tail(result.value, result.degrees);
  return result;
}

}  // namespace hone::stats
