#pragma once

// Every constant of the decision "is the candidate faster", each with its reason, in one table.
// A Rule is a plain value: the defaults are the release rule, a selftest varies a copy.
// Nothing here fails, allocates or keeps state; safe from any thread.
// Fractions are of time (0.01 = 1 %); they are compared in ln units, as ln(1 + fraction).

#include <array>
#include <cstddef>

namespace hone::stats {

// One planned examination of stage 1: after `rounds` rounds, a one-sided test at level `alpha`.
struct Look {
  std::size_t rounds;
  double alpha;
};

struct Rule {
  // ---- What counts as faster -------------------------------------------------------------------

  // H0 is "gain <= 1 %". With 0, identical kernels pass every hundredth look; layout luck and
  // clock steps reach a few tenths of a per cent, and nobody maintains a change for less than 1 %.
  double delta_fraction = 0.01;

  // No timed case may lose more than this: twice delta, so that it can be ruled out with the rounds
  // that prove the gain, and small enough that no user would call it a regression.
  double no_harm_fraction = 0.02;

  // ---- Stage 1: three looks ----------------------------------------------------------------------

  // The alphas add up to 0.01 and hold by the union bound, whatever the dependence of the looks.
  // 10 rounds reach 0.001 only if all agree; 12 leave room for one or two small contrary ones.
  // Critical contrary rank sums: 2, 56, 345.
  std::array<Look, 3> looks{{{12, 0.001}, {24, 0.003}, {48, 0.006}}};

  // Before the last look a median gain below this share of delta ends the comparison. Not binding:
  // it can only turn a pass into a failure, so it needs no alpha.
  double futility_share_of_delta = 0.5;

  // A look also ends when one case is worse than no_harm_fraction at this level. Strict, since it
  // is tried for each case at each look and a wrong stop loses a real gain.
  double case_worse_alpha = 0.001;

  // ---- Confirmation: new processes, new contents -------------------------------------------------

  // 24 rounds reach p = 2^-24 and lose 0.2 % of true 2 % gains at 1 % noise (critical sum 91).
  std::size_t confirmation_rounds = 24;

  // Below this level 24 rounds lose too much power: twice as many are taken.
  double small_alpha = 0.001;

  // Level of comparison k of a campaign: min(cap, scale / (k (k + 1))). The sum over all k is 0.95,
  // so the false promotions of a campaign of any length stay below 0.01 * 0.95.
  double alpha_cap = 0.05;
  double alpha_scale = 5.0;

  // Level of each further condition (no harm, no slow tail). All must hold at once (an
  // intersection-union test), so none of them is divided by their number.
  double condition_alpha = 0.05;

  // Confidence of every reported interval.
  double confidence = 0.95;

  // Below this gain the headline is the interval's lower end: the estimate is conditional on having
  // passed and therefore slightly high near delta.
  double headline_lower_end_below_fraction = 0.03;

  // ---- One round ---------------------------------------------------------------------------------

  // Kernel time of one case in one round: 12 rounds take 0.6 s on a GPU and 2.4 s on a CPU, whose
  // noise needs longer rounds.
  double gpu_round_ns = 50e6;
  double cpu_round_ns = 200e6;

  // 10 quads leave 6 after trimming; 200 bring a 9 us kernel to 0.12 % a round, where more precision
  // no longer changes an answer about 1 %.
  std::size_t min_quads = 10;
  std::size_t max_quads = 200;

  // A round of min_quads (four launches each) may last this long; slower kernels get fewer quads,
  // but at least 3, the fewest that have a middle.
  double long_round_ns = 2e9;
  std::size_t min_quads_of_long_round = 3;

  // Trimmed at each end of a case's quads: interrupts hit single launches, and a fifth at each end
  // costs about a tenth of the mean's efficiency under Gaussian noise. What it hides, the tail rule
  // sees.
  double trim_fraction = 0.20;

  // With fewer quads left than this share of the plan, conditions were bad all along: once more.
  double min_kept_fraction = 0.80;

  // ---- Is the comparison sound? --------------------------------------------------------------------

  // Fisher's test of discarded quads by who led them: conditions must not depend on the order.
  double unequal_discards_alpha = 0.01;

  // Who ran before must not matter by more than this share of delta where it could change the answer:
  // the interval, less the whole effect (its bias is at most half of that), must lie on the answer's side
  // of delta. |z| > 4 because every comparison is tested; all are needed, so that neither noise nor a
  // precise trifle trips it, nor a trifle beside a gain of 2 x.
  double carry_over_share_of_delta = 0.5;
  double carry_over_z = 4.0;

  // Beyond this |skewness| a round's noise is far enough from symmetric to distort the level of the
  // signed-rank test; the distortion shrinks with the square root of the rounds, so they double.
  double skew_limit = 1.0;

  // ---- Surprising results ------------------------------------------------------------------------

  // A change this large is more often a mistake than a fact: repeated once before it is shown.
  double repeat_beyond_fraction = 0.30;

  // A repetition agrees within this share of the larger of the two (or where the intervals
  // overlap): separate contexts move a large gain by some per cent without making it wrong.
  double repeat_agreement_share = 0.25;

  // Speed-ups beyond this are examined before promotion (fresh processes, complete outputs).
  double scrutiny_speedup = 3.0;

  // Time below this share of the physical floor is an alarm; 5 % for the ceiling's own error.
  double floor_share = 0.95;

  // ---- Quick screen (may only reject) --------------------------------------------------------------

  // Rejects when slower than this and nearly all quads agree: a true gain of 1 % is not lost to it.
  double screen_loss_fraction = 0.05;
  double screen_agreement = 0.90;
  std::size_t screen_min_quads = 10;

  // ---- Second clock (device-only) ------------------------------------------------------------------

  // Shortest window of the judge's own clock: a jitter of 0.1 ms then stays below delta / 2.
  double min_window_ns = 20e6;
  // Of the interval that windows show: of honest gains one in two thousand may look contradicted, no more.
  double window_confidence = 0.999;
  // Between two marks a launch's start may hide behind the work before it, in a window it may not: so much may a launch
  // take longer there.
  double window_start_ns = 2e3;

  // ---- First clock of host code --------------------------------------------------------------------

  // What a process may save of the time between the judge's clock and its kernel, in one launch: 1.3 us
  // of 17 to 19 were seen of an entry that never returns and serves the judge itself. A gain within it
  // is no kernel's.
  double host_hand_over_ns = 2e3;
};

// Level of the k-th comparison of a campaign (k counts from 1), before division by a portfolio.
double alpha_of_comparison(const Rule& rule, std::size_t k);

// The same rule with twice the rounds at every look and in the confirmation, levels unchanged.
Rule doubled(const Rule& rule);

// The rule for a machine whose identical kernels show this skewness of d (from selftest, never from
// the rounds being judged: a schedule chosen by its own data would spend alpha twice).
Rule rule_for_skewness(const Rule& rule, double skewness);

// Rounds of a confirmation at level `alpha` after stage-1 rounds of skewness `skewness`. Stage 1 may
// choose them freely, since the confirmation's rounds are new.
std::size_t confirmation_rounds(const Rule& rule, double alpha, double skewness);

// Quads of one case in one round, for an incumbent that takes t_incumbent_ns (> 0) a launch;
// round_ns is gpu_round_ns or cpu_round_ns.
std::size_t quads_per_round(const Rule& rule, double t_incumbent_ns, double round_ns);

}  // namespace hone::stats
