#include "stats/rounds.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/estimate.h"

namespace hone::stats {
namespace {

bool is_positive(double value) { return std::isfinite(value) && value > 0.0; }

bool is_timed(const Quad& quad) { return std::all_of(quad.t_ns.begin(), quad.t_ns.end(), is_positive); }

bool is_timed(const CaseRound& round) {
  return !round.quads.empty() &&
         std::all_of(round.quads.begin(), round.quads.end(), [](const Quad& quad) { return is_timed(quad); });
}

bool holds_each_case_once(const Round& round, std::size_t cases) {
  std::vector<bool> seen(cases, false);
  for (const CaseRound& c : round.cases) {
    if (c.case_index >= cases || seen[c.case_index]) return false;
    seen[c.case_index] = true;
  }
  return round.cases.size() == cases && cases > 0;
}

bool is_well_formed(const Weighting& weighting, const Round& round) {
  return holds_each_case_once(round, weighting.weights.size()) &&
         std::all_of(weighting.weights.begin(), weighting.weights.end(), is_positive) &&
         std::all_of(round.cases.begin(), round.cases.end(), [](const CaseRound& c) { return is_timed(c); });
}

// +1 for ABBA, -1 for BAAB: turns "outer against inner" into "incumbent against candidate".
double sign_of(Order order) { return order == Order::incumbent_first ? 1.0 : -1.0; }

double ln_of(const Quad& quad, std::size_t launch) { return std::log(quad.t_ns[launch]); }

LaunchSums sums_of(const Quad& quad) {
  const double outer = quad.t_ns[0] + quad.t_ns[3];
  const double inner = quad.t_ns[1] + quad.t_ns[2];
  if (quad.order == Order::incumbent_first) return {inner, outer, 2.0};
  return {outer, inner, 2.0};
}

void add(LaunchSums& to, const LaunchSums& from) {
  to.candidate_ns += from.candidate_ns;
  to.incumbent_ns += from.incumbent_ns;
  to.launches += from.launches;
}

double ln_ratio_of(const LaunchSums& sums) { return std::log(sums.candidate_ns / sums.incumbent_ns); }

double incumbent_ns_of(const LaunchSums& sums) { return sums.incumbent_ns / sums.launches; }

double tail_of(const Weighting& weighting, std::span<const LaunchSums> sums) {
  std::vector<double> ratios;
  std::vector<double> incumbent_ns;
  for (const LaunchSums& s : sums) {
    ratios.push_back(ln_ratio_of(s));
    incumbent_ns.push_back(incumbent_ns_of(s));
  }
  return combine(weighting, ratios, incumbent_ns);
}

void count(OrderCounts& counts, Order order) {
  ++(order == Order::incumbent_first ? counts.incumbent_first : counts.candidate_first);
}

void count_quads(RoundSummary& summary, const CaseRound& round) {
  for (const Quad& quad : round.quads) count(summary.kept, quad.order);
  summary.discarded.incumbent_first += round.discarded.incumbent_first;
  summary.discarded.candidate_first += round.discarded.candidate_first;
}

double weighted_mean(std::span<const double> weights, std::span<const double> values) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  return std::inner_product(weights.begin(), weights.end(), values.begin(), 0.0) / total;
}

double total_time_ratio(std::span<const double> weights, std::span<const double> ln_ratios,
                        std::span<const double> incumbent_ns) {
  double candidate = 0.0;
  double incumbent = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    incumbent += weights[i] * incumbent_ns[i];
    candidate += weights[i] * incumbent_ns[i] * std::exp(ln_ratios[i]);
  }
  return std::log(candidate / incumbent);
}

void combine_cases(RoundSummary& summary, const Weighting& weighting) {
  std::vector<double> d;
  std::vector<double> carry_over;
  std::vector<double> incumbent_ns;
  std::vector<LaunchSums> sums;
  for (const CaseSummary& c : summary.cases) {
    d.push_back(c.d);
    carry_over.push_back(c.carry_over);
    incumbent_ns.push_back(c.incumbent_ns);
    sums.push_back(c.sums);
  }
  summary.d = combine(weighting, d, incumbent_ns);
  summary.tail = tail_of(weighting, sums);
  summary.carry_over = weighted_mean(weighting.weights, carry_over);
}

}  // namespace

double ln_ratio(const Quad& quad) {
  const double inner_over_outer = 0.5 * (ln_of(quad, 1) + ln_of(quad, 2) - ln_of(quad, 0) - ln_of(quad, 3));
  return sign_of(quad.order) * inner_over_outer;
}

double carry_over_of(const Quad& quad) { return sign_of(quad.order) * (ln_of(quad, 1) - ln_of(quad, 2)); }

CaseSummary summarise_case(const Rule& rule, const CaseRound& round) {
  std::vector<double> ratios;
  std::vector<double> carry_overs;
  std::vector<double> incumbent_ns;
  CaseSummary summary;
  for (const Quad& quad : round.quads) {
    ratios.push_back(ln_ratio(quad));
    carry_overs.push_back(carry_over_of(quad));
    incumbent_ns.push_back(incumbent_ns_of(sums_of(quad)));
    add(summary.sums, sums_of(quad));
  }
  summary.d = trimmed_mean(ratios, rule.trim_fraction);
  summary.carry_over = trimmed_mean(carry_overs, rule.trim_fraction);
  summary.incumbent_ns = trimmed_mean(incumbent_ns, rule.trim_fraction);
  return summary;
}

double combine(const Weighting& weighting, std::span<const double> ln_ratios, std::span<const double> incumbent_ns) {
  if (weighting.objective == Objective::geomean) return weighted_mean(weighting.weights, ln_ratios);
  return total_time_ratio(weighting.weights, ln_ratios, incumbent_ns);
}

std::optional<RoundSummary> summarise(const Rule& rule, const Weighting& weighting, const Round& round) {
  if (!is_well_formed(weighting, round)) return std::nullopt;
  RoundSummary summary;
  summary.cases.resize(round.cases.size());
  for (const CaseRound& c : round.cases) {
    summary.cases[c.case_index] = summarise_case(rule, c);
    count_quads(summary, c);
  }
  combine_cases(summary, weighting);
  return summary;
}

LaunchSums pooled_sums(std::span<const RoundSummary> rounds, std::size_t case_index) {
  LaunchSums pooled;
  for (const RoundSummary& round : rounds) add(pooled, round.cases[case_index].sums);
  return pooled;
}

double pooled_tail_of_case(std::span<const RoundSummary> rounds, std::size_t case_index) {
  return ln_ratio_of(pooled_sums(rounds, case_index));
}

double pooled_tail(const Weighting& weighting, std::span<const RoundSummary> rounds) {
  std::vector<LaunchSums> sums;
  for (std::size_t i = 0; i < weighting.weights.size(); ++i) sums.push_back(pooled_sums(rounds, i));
  return tail_of(weighting, sums);
}

bool has_enough_quads(const Rule& rule, std::size_t kept, std::size_t planned) {
  return static_cast<double>(kept) >= rule.min_kept_fraction * static_cast<double>(planned);
}

}  // namespace hone::stats
