#pragma once

// What one round of paired measurement holds, and the few numbers a decision reads from it.
// Plain values, no ownership; times are nanoseconds of one launch (or one timed group of launches).
// Ratios are natural logarithms, candidate over incumbent: negative = the candidate is faster.
// summarise() gives std::nullopt for a round that does not fit its weighting or holds a time that is
// not finite and positive; nothing else fails. Pure, safe from any thread.

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stats/rule.h"

namespace hone::stats {

// Which arm opens a quad: incumbent_first = ABBA, candidate_first = BAAB (A incumbent, B candidate).
enum class Order { incumbent_first, candidate_first };

struct Quad {
  Order order;
  std::array<double, 4> t_ns;  // in launch order
};

// Quads counted by who led them.
struct OrderCounts {
  std::size_t incumbent_first = 0;
  std::size_t candidate_first = 0;
};

struct CaseRound {
  std::size_t case_index = 0;  // 0 .. timed cases - 1; a round holds each case once, in any order
  std::vector<Quad> quads;     // kept quads, at least one
  OrderCounts discarded;       // lost to bad conditions
};

struct Round {
  std::vector<CaseRound> cases;
};

enum class Objective {
  geomean,     // weighted mean of the cases' ln ratios
  total_time,  // ln of the ratio of weighted sums of time
};

// weights[i] > 0 belongs to case i; they are normalised, so only their proportions matter.
struct Weighting {
  Objective objective = Objective::geomean;
  std::vector<double> weights{1.0};
};

// Sums over every launch, nothing trimmed.
struct LaunchSums {
  double candidate_ns = 0.0;
  double incumbent_ns = 0.0;
  double launches = 0.0;  // of one arm
};

struct CaseSummary {
  double d = 0.0;             // trimmed mean over quads of ln t_candidate - ln t_incumbent
  double carry_over = 0.0;    // see carry_over_of
  double incumbent_ns = 0.0;  // trimmed mean of a launch; weighs the case under total_time
  LaunchSums sums;
};

struct RoundSummary {
  double d = 0.0;           // the objective over the cases' d: the round's one vote
  double tail = 0.0;        // the objective over ln(sum candidate / sum incumbent), untrimmed
  double carry_over = 0.0;  // weighted mean over cases
  OrderCounts kept;
  OrderCounts discarded;
  std::vector<CaseSummary> cases;  // by case index
};

// ln t_candidate - ln t_incumbent of one quad, each arm its two launches' mean of logarithms.
double ln_ratio(const Quad& quad);

// How much a launch's ln time depends on who ran before it. The two inner launches of a quad belong
// to one arm and follow one arm each: ABBA gives ln B(after A) - ln B(after B), BAAB the same with
// the arms exchanged. The mean of +ABBA and -BAAB estimates (lasting effect of A) - (of B) on the
// next launch, and the position in the quad cancels under the fair coin (a plain "first launch is
// slow" is no carry-over: the coin already balances it). d is biased by a quarter to a half of it.
double carry_over_of(const Quad& quad);

CaseSummary summarise_case(const Rule& rule, const CaseRound& round);

// d of several cases as one number; incumbent_ns[i] is read by total_time only.
double combine(const Weighting& weighting, std::span<const double> ln_ratios, std::span<const double> incumbent_ns);

std::optional<RoundSummary> summarise(const Rule& rule, const Weighting& weighting, const Round& round);

LaunchSums pooled_sums(std::span<const RoundSummary> rounds, std::size_t case_index);

// ln(sum candidate / sum incumbent) of one case over several rounds.
double pooled_tail_of_case(std::span<const RoundSummary> rounds, std::size_t case_index);

// The objective over the cases' pooled tails.
double pooled_tail(const Weighting& weighting, std::span<const RoundSummary> rounds);

// Has a round kept enough of its planned quads (over all cases), or must it be repeated?
bool has_enough_quads(const Rule& rule, std::size_t kept, std::size_t planned);

}  // namespace hone::stats
