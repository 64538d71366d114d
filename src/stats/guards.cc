#include "stats/guards.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hone::stats {
namespace {

bool overlap(const Interval& a, const Interval& b) { return a.lower <= b.upper && b.lower <= a.upper; }

bool intervals_overlap(const Estimate& a, const Estimate& b) {
  return a.interval && b.interval && overlap(*a.interval, *b.interval);
}

std::vector<double> gains_of(std::span<const Quad> quads) {
  std::vector<double> gains;
  for (const Quad& quad : quads) gains.push_back(-ln_ratio(quad));
  return gains;
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

double share_of_losses(std::span<const double> gains) {
  const auto losses = std::count_if(gains.begin(), gains.end(), [](double g) { return g < 0.0; });
  return static_cast<double>(losses) / static_cast<double>(gains.size());
}

}  // namespace

Screen screen(const Rule& rule, std::span<const Quad> quads) {
  const auto gains = gains_of(quads);
  if (gains.size() < rule.screen_min_quads || !all_finite(gains)) return Screen::too_few_quads;
  const bool loses = trimmed_mean(gains, rule.trim_fraction) < -std::log1p(rule.screen_loss_fraction);
  const bool agreed = share_of_losses(gains) >= rule.screen_agreement;
  return loses && agreed ? Screen::reject : Screen::go_on;
}

bool is_below_floor(const Rule& rule, double t_ns, double floor_ns) { return t_ns < rule.floor_share * floor_ns; }

bool is_surprising(const Rule& rule, double gain) { return std::abs(gain) > std::log1p(rule.repeat_beyond_fraction); }

bool repetition_agrees(const Rule& rule, const Estimate& first, const Estimate& second) {
  if (intervals_overlap(first, second)) return true;
  const double larger = std::max(std::abs(first.value), std::abs(second.value));
  const double allowed = std::max(std::log1p(rule.delta_fraction), rule.repeat_agreement_share * larger);
  return std::abs(first.value - second.value) <= allowed;
}

bool needs_scrutiny(const Rule& rule, double gain) { return gain > std::log(rule.scrutiny_speedup); }

bool clocks_contradict(const Estimate& windows, const Estimate& events, double allowance) {
  if (!windows.interval || !events.interval) return false;
  return windows.interval->upper < 0.0 || windows.interval->upper < events.interval->lower - allowance;
}

double window_allowance(const Rule& rule, const Weighting& weighting, std::span<const double> candidate_ns,
                        std::span<const double> incumbent_ns) {
  const auto gain = [&](double more_ns) {
    std::vector<double> ratios;
    std::vector<double> incumbent;
    for (std::size_t i = 0; i < candidate_ns.size(); ++i) {
      incumbent.push_back(incumbent_ns[i] + more_ns);
      ratios.push_back(std::log((candidate_ns[i] + more_ns) / incumbent.back()));
    }
    return -combine(weighting, ratios, incumbent);
  };
  return std::max(0.0, gain(0.0) - gain(rule.window_start_ns));
}

}  // namespace hone::stats
