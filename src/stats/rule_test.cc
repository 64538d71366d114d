#include "stats/rule.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hone::stats {
namespace {

const Rule k_rule;

TEST(Rule, StageOneSpendsNoMoreThanOnePercent) {
  double spent = 0.0;
  for (const Look& look : k_rule.looks) spent += look.alpha;
  EXPECT_NEAR(spent, 0.010, 1e-12);
}

TEST(Rule, EarlyComparisonsAreCapped) {
  for (std::size_t k = 1; k <= 9; ++k) EXPECT_DOUBLE_EQ(alpha_of_comparison(k_rule, k), 0.05) << k;
  EXPECT_DOUBLE_EQ(alpha_of_comparison(k_rule, 10), 5.0 / 110.0);
  EXPECT_DOUBLE_EQ(alpha_of_comparison(k_rule, 100), 5.0 / 10100.0);
}

TEST(Rule, ComparisonZeroIsTreatedAsTheFirst) {
  EXPECT_DOUBLE_EQ(alpha_of_comparison(k_rule, 0), alpha_of_comparison(k_rule, 1));
}

// 9 * 0.05 + 5 * sum_{k >= 10} 1/(k(k+1)) = 0.45 + 5/10.
TEST(Rule, AnyNumberOfComparisonsPromotesFalselyLessThanOnceInAHundred) {
  double sum = 0.0;
  for (std::size_t k = 1; k <= 200'000; ++k) sum += alpha_of_comparison(k_rule, k);
  EXPECT_LT(sum, 0.95);
  EXPECT_GT(sum, 0.9499);
  EXPECT_LT(0.01 * 0.95, 0.01);
}

TEST(Rule, ConfirmationDoublesForASmallAlphaAndForSkew) {
  EXPECT_EQ(confirmation_rounds(k_rule, 0.05, 0.0), 24U);
  EXPECT_EQ(confirmation_rounds(k_rule, 0.001, 0.0), 24U);
  EXPECT_EQ(confirmation_rounds(k_rule, 0.00099, 0.0), 48U);
  EXPECT_EQ(confirmation_rounds(k_rule, 0.05, 1.01), 48U);
  EXPECT_EQ(confirmation_rounds(k_rule, 0.05, -1.01), 48U);
  EXPECT_EQ(confirmation_rounds(k_rule, 0.05, 1.0), 24U);
  EXPECT_EQ(confirmation_rounds(k_rule, 0.0001, 2.0), 96U);
}

TEST(Rule, SkewedMachinesTakeTwiceTheRoundsAtTheSameLevels) {
  const Rule twice = rule_for_skewness(k_rule, -1.5);
  for (std::size_t i = 0; i < k_rule.looks.size(); ++i) {
    EXPECT_EQ(twice.looks[i].rounds, 2 * k_rule.looks[i].rounds);
    EXPECT_DOUBLE_EQ(twice.looks[i].alpha, k_rule.looks[i].alpha);
  }
  EXPECT_EQ(twice.confirmation_rounds, 48U);
  EXPECT_EQ(rule_for_skewness(k_rule, 0.99).looks[0].rounds, 12U);
}

TEST(Rule, QuadsFillTheRoundWithinTheirLimits) {
  EXPECT_EQ(quads_per_round(k_rule, 250e3, k_rule.gpu_round_ns), 50U);  // 50 ms / 1 ms
  EXPECT_EQ(quads_per_round(k_rule, 9e3, k_rule.gpu_round_ns), 200U);
  EXPECT_EQ(quads_per_round(k_rule, 10e6, k_rule.gpu_round_ns), 10U);
  EXPECT_EQ(quads_per_round(k_rule, 1e6, k_rule.cpu_round_ns), 50U);
}

TEST(Rule, LongKernelsGetFewerQuadsButNeverBelowThree) {
  EXPECT_EQ(quads_per_round(k_rule, 50e6, k_rule.cpu_round_ns), 10U);   // 40 launches last exactly 2 s
  EXPECT_EQ(quads_per_round(k_rule, 50.1e6, k_rule.cpu_round_ns), 9U);  // floor(2 s / 200.4 ms)
  EXPECT_EQ(quads_per_round(k_rule, 100e6, k_rule.cpu_round_ns), 5U);
  EXPECT_EQ(quads_per_round(k_rule, 10e9, k_rule.cpu_round_ns), 3U);
}

TEST(Rule, LongerKernelsNeverGetMoreQuads) {
  std::size_t before = k_rule.max_quads;
  for (double t = 1e3; t < 20e9; t *= 1.07) {
    const std::size_t now = quads_per_round(k_rule, t, k_rule.cpu_round_ns);
    EXPECT_LE(now, before) << t;
    before = now;
  }
}

}  // namespace
}  // namespace hone::stats
