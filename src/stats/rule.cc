#include "stats/rule.h"

#include <algorithm>
#include <cmath>

namespace hone::stats {
namespace {

constexpr double k_launches_per_quad = 4.0;

// How many quads fit into the time; a kernel of no measurable length fits often enough for any cap.
double quads_in(double time_ns, double t_incumbent_ns) {
  return std::floor(time_ns / (k_launches_per_quad * t_incumbent_ns));
}

bool is_skewed(const Rule& rule, double skewness) { return std::abs(skewness) > rule.skew_limit; }

}  // namespace

double alpha_of_comparison(const Rule& rule, std::size_t k) {
  const auto number = static_cast<double>(std::max<std::size_t>(k, 1));
  return std::min(rule.alpha_cap, rule.alpha_scale / (number * (number + 1.0)));
}

Rule doubled(const Rule& rule) {
  Rule twice = rule;
  for (Look& look : twice.looks) look.rounds *= 2;
  twice.confirmation_rounds *= 2;
  return twice;
}

Rule rule_for_skewness(const Rule& rule, double skewness) { return is_skewed(rule, skewness) ? doubled(rule) : rule; }

std::size_t confirmation_rounds(const Rule& rule, double alpha, double skewness) {
  const std::size_t for_alpha = alpha < rule.small_alpha ? 2 : 1;
  const std::size_t for_skew = is_skewed(rule, skewness) ? 2 : 1;
  return rule.confirmation_rounds * for_alpha * for_skew;
}

std::size_t quads_per_round(const Rule& rule, double t_incumbent_ns, double round_ns) {
  const auto fewest = static_cast<double>(rule.min_quads);
  const auto most = static_cast<double>(rule.max_quads);
  if (fewest * k_launches_per_quad * t_incumbent_ns > rule.long_round_ns) {
    const auto floor = static_cast<double>(rule.min_quads_of_long_round);
    return static_cast<std::size_t>(std::max(floor, quads_in(rule.long_round_ns, t_incumbent_ns)));
  }
  return static_cast<std::size_t>(std::clamp(quads_in(round_ns, t_incumbent_ns), fewest, most));
}

}  // namespace hone::stats
