#include "stats/signed_rank.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/simulate.h"

namespace hone::stats {
namespace {

// Mid-rank by its definition: values below, plus the middle of those that tie.
double mid_rank(const std::vector<double>& x, std::size_t i) {
  double below = 0.0;
  double equal = 0.0;
  for (const double other : x) {
    below += std::abs(other) < std::abs(x[i]) ? 1.0 : 0.0;
    equal += std::abs(other) == std::abs(x[i]) ? 1.0 : 0.0;
  }
  return below + (equal + 1.0) / 2.0;
}

double sum_of_subset(const std::vector<double>& ranks, std::size_t subset) {
  double sum = 0.0;
  for (std::size_t i = 0; i < ranks.size(); ++i) sum += (subset >> i & 1U) != 0U ? ranks[i] : 0.0;
  return sum;
}

// p by trying all 2^n signs.
double brute_force_p(const std::vector<double>& x) {
  std::vector<double> ranks;
  double seen = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    ranks.push_back(mid_rank(x, i));
    if (x[i] <= 0.0) seen += ranks.back();
  }
  std::size_t as_low = 0;
  for (std::size_t subset = 0; subset < (std::size_t{1} << x.size()); ++subset) {
    as_low += sum_of_subset(ranks, subset) <= seen ? 1 : 0;
  }
  return static_cast<double>(as_low) / std::ldexp(1.0, static_cast<int>(x.size()));
}

std::vector<double> shifted(std::vector<double> x, double by) {
  for (double& value : x) value += by;
  return x;
}

TEST(SignedRank, CriticalSumsOfTheRule) {
  EXPECT_EQ(critical_sum(12, 0.001), 2U);
  EXPECT_EQ(critical_sum(24, 0.003), 56U);
  EXPECT_EQ(critical_sum(48, 0.006), 345U);
  EXPECT_EQ(critical_sum(24, 0.05), 91U);
}

// Wilcoxon's published one-sided 0.05, 0.025, 0.01 and 0.005 columns.
TEST(SignedRank, CriticalSumsOfThePublishedTable) {
  EXPECT_EQ(critical_sum(5, 0.05), 0U);
  EXPECT_EQ(critical_sum(6, 0.05), 2U);
  EXPECT_EQ(critical_sum(8, 0.05), 5U);
  EXPECT_EQ(critical_sum(10, 0.05), 10U);
  EXPECT_EQ(critical_sum(20, 0.05), 60U);
  EXPECT_EQ(critical_sum(6, 0.025), 0U);
  EXPECT_EQ(critical_sum(10, 0.025), 8U);
  EXPECT_EQ(critical_sum(15, 0.025), 25U);
  EXPECT_EQ(critical_sum(20, 0.025), 52U);
  EXPECT_EQ(critical_sum(7, 0.01), 0U);
  EXPECT_EQ(critical_sum(20, 0.01), 43U);
  EXPECT_EQ(critical_sum(25, 0.01), 76U);
  EXPECT_EQ(critical_sum(8, 0.005), 0U);
  EXPECT_EQ(critical_sum(20, 0.005), 37U);
}

TEST(SignedRank, NoCriticalSumWhereEvenUnanimityIsTooLikely) {
  EXPECT_FALSE(critical_sum(4, 0.05).has_value());
  EXPECT_FALSE(critical_sum(9, 0.001).has_value());
  EXPECT_EQ(critical_sum(10, 0.001), 0U);
}

TEST(SignedRank, LawAddsUpToOneAndIsSymmetric) {
  for (const std::size_t n : {1U, 7U, 24U, 96U, 300U}) {
    const auto law = signed_rank_law(n);
    ASSERT_EQ(law.size(), n * (n + 1) / 2 + 1);
    EXPECT_NEAR(std::accumulate(law.begin(), law.end(), 0.0), 1.0, 1e-12) << n;
    for (std::size_t w = 0; w < law.size(); ++w) EXPECT_DOUBLE_EQ(law[w], law[law.size() - 1 - w]);
  }
}

TEST(SignedRank, UnanimousSignsGiveTwoToTheMinusN) {
  for (int n = 1; n <= 60; ++n) {
    std::vector<double> x(static_cast<std::size_t>(n));
    std::iota(x.begin(), x.end(), 1.0);
    EXPECT_DOUBLE_EQ(signed_rank_test(x).p, std::ldexp(1.0, -n));
  }
}

TEST(SignedRank, EqualValuesTieAtTheMiddleRank) {
  const std::vector<double> x{3.0, 3.0, -3.0, 3.0};
  const auto test = signed_rank_test(x);
  EXPECT_DOUBLE_EQ(test.contrary_sum, 2.5);
  EXPECT_DOUBLE_EQ(test.p, 5.0 / 16.0);  // none or one of four
}

TEST(SignedRank, ZerosCountAgainst) {
  const std::vector<double> with_zero{0.0, 1.0, 2.0, 3.0, 4.0};
  const auto test = signed_rank_test(with_zero);
  EXPECT_DOUBLE_EQ(test.contrary_sum, 1.0);
  EXPECT_DOUBLE_EQ(test.p, 2.0 / 32.0);
}

TEST(SignedRank, AllZerosProveNothing) {
  EXPECT_DOUBLE_EQ(signed_rank_test(std::vector<double>(24, 0.0)).p, 1.0);
  EXPECT_DOUBLE_EQ(signed_rank_test(std::vector<double>(24, 0.0)).contrary_sum, 300.0);
}

TEST(SignedRank, AnEmptySampleProvesNothing) { EXPECT_DOUBLE_EQ(signed_rank_test({}).p, 1.0); }

TEST(SignedRank, AllContraryHasPOne) {
  EXPECT_DOUBLE_EQ(signed_rank_test(std::vector<double>{-1.0, -2.0, -3.0}).p, 1.0);
}

TEST(SignedRank, EqualsEnumerationWithoutTies) {
  Random random(1);
  for (std::size_t n = 1; n <= 12; ++n) {
    for (int repeat = 0; repeat < 10; ++repeat) {
      std::vector<double> x;
      for (std::size_t i = 0; i < n; ++i) x.push_back(0.5 + random.normal());
      EXPECT_NEAR(signed_rank_test(x).p, brute_force_p(x), 1e-12);
    }
  }
}

TEST(SignedRank, EqualsEnumerationWithTiesAndZeros) {
  Random random(2);
  for (std::size_t n = 1; n <= 12; ++n) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::vector<double> x;
      for (std::size_t i = 0; i < n; ++i) x.push_back(std::round(2.0 * random.normal() + 0.5));
      EXPECT_NEAR(signed_rank_test(x).p, brute_force_p(x), 1e-12);
    }
  }
}

TEST(SignedRank, ATieAcrossTheSignsCannotBeDecidedByOrder) {
  const std::vector<double> x{-1.0, 1.0, 2.0, 3.0};
  std::vector<double> reversed(x.rbegin(), x.rend());
  EXPECT_DOUBLE_EQ(signed_rank_test(x).p, signed_rank_test(reversed).p);
}

TEST(SignedRank, MatchesTheCriticalSumAtItsEdge) {
  std::vector<double> x(24);
  std::iota(x.begin(), x.end(), 1.0);
  for (const std::size_t rank : {24U, 23U, 22U, 21U, 1U}) x[rank - 1] *= -1.0;  // sum 91
  EXPECT_DOUBLE_EQ(signed_rank_test(x).contrary_sum, 91.0);
  EXPECT_LE(signed_rank_test(x).p, 0.05);
  x[0] = 1.0;
  x[1] = -2.0;  // sum 92
  EXPECT_GT(signed_rank_test(x).p, 0.05);
}

RC_GTEST_PROP(SignedRankProperty, AHigherSampleNeverHasAHigherP, (const std::vector<int>& raw)) {
  RC_PRE(!raw.empty() && raw.size() <= 60);
  std::vector<double> x;
  for (const int value : raw) x.push_back(static_cast<double>(value % 50));
  RC_ASSERT(signed_rank_test(shifted(x, 1.0)).p <= signed_rank_test(x).p + 1e-12);
}

RC_GTEST_PROP(SignedRankProperty, ScaleAndOrderDoNotMatter, (std::vector<int> raw)) {
  RC_PRE(raw.size() <= 60);
  std::vector<double> x(raw.begin(), raw.end());
  const double p = signed_rank_test(x).p;
  std::reverse(x.begin(), x.end());
  for (double& value : x) value *= 0.25;
  RC_ASSERT(signed_rank_test(x).p == p);
}

RC_GTEST_PROP(SignedRankProperty, BothDirectionsNeverPassTogether, (const std::vector<int>& raw)) {
  RC_PRE(raw.size() <= 60);
  std::vector<double> x(raw.begin(), raw.end());
  std::vector<double> opposite;
  for (const double value : x) opposite.push_back(-value);
  RC_ASSERT(signed_rank_test(x).p + signed_rank_test(opposite).p >= 1.0 - 1e-12);
}

}  // namespace
}  // namespace hone::stats
