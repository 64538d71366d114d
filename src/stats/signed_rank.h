#pragma once

// The exact one-sided Wilcoxon signed-rank test, by dynamic programming over the ranks.
// Pure functions of their arguments, which are only read; up to 1000 values.
// Values must be finite (a precondition that rounds.h establishes); an empty sample has p = 1.
// Ranks: mid-ranks of |x|, as in Lehmann, Nonparametrics (1975), section 3.1.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace hone::stats {

struct SignedRank {
  std::size_t n = 0;          // values, zeros included
  double contrary_sum = 0.0;  // mid-ranks of the values <= 0, added up
  double p = 1.0;             // P(sum <= contrary_sum) if every sign were a fair coin
};

// Tests H0 "x is centred at or below 0" against "above 0". A zero keeps its (lowest) rank and counts
// as contrary, so it can only raise p; p is exact given |x|, ties or not.
SignedRank signed_rank_test(std::span<const double> x);

// Law of the contrary sum of n values without ties under H0: element w = P(sum = w), w = 0..n(n+1)/2.
std::vector<double> signed_rank_law(std::size_t n);

// Largest w with P(sum <= w) <= alpha for n values without ties; none if even w = 0 is too likely.
std::optional<std::size_t> critical_sum(std::size_t n, double alpha);

}  // namespace hone::stats
