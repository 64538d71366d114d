#include "stats/estimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "stats/signed_rank.h"
#include "stats/simulate.h"

namespace hone::stats {
namespace {

std::vector<double> normal_sample(Random& random, std::size_t n, double centre = 0.0) {
  std::vector<double> sample;
  for (std::size_t i = 0; i < n; ++i) sample.push_back(centre + random.normal());
  return sample;
}

double two_sided_p(const std::vector<double>& sample, double centre) {
  std::vector<double> above;
  std::vector<double> below;
  for (const double value : sample) {
    above.push_back(value - centre);
    below.push_back(centre - value);
  }
  return 2.0 * std::min(signed_rank_test(above).p, signed_rank_test(below).p);
}

TEST(Estimate, MedianOfOddAndEvenSamples) {
  EXPECT_DOUBLE_EQ(median(std::vector{3.0, 1.0, 2.0}), 2.0);
  EXPECT_DOUBLE_EQ(median(std::vector{4.0, 1.0, 2.0, 3.0}), 2.5);
  EXPECT_DOUBLE_EQ(median(std::vector{7.0}), 7.0);
}

TEST(Estimate, QuantilesInterpolateBetweenOrderStatistics) {
  std::vector<double> sample;
  for (int i = 100; i >= 0; --i) sample.push_back(i);
  const Quantiles q = quantiles(sample);
  EXPECT_DOUBLE_EQ(q.p50, 50.0);
  EXPECT_DOUBLE_EQ(q.p95, 95.0);
  EXPECT_DOUBLE_EQ(q.p99, 99.0);
  EXPECT_DOUBLE_EQ(quantile(std::vector{0.0, 10.0}, 0.25), 2.5);
}

TEST(Estimate, QuantileEndsAreTheExtremes) {
  const std::vector sample{5.0, -1.0, 3.0};
  EXPECT_DOUBLE_EQ(quantile(sample, 0.0), -1.0);
  EXPECT_DOUBLE_EQ(quantile(sample, 1.0), 5.0);
}

TEST(Estimate, TrimmingDropsTheFloorOfTheShareAtEachEnd) {
  const std::vector ten{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 900.0, 1000.0};
  EXPECT_DOUBLE_EQ(trimmed_mean(ten, 0.20), 5.5);  // 3..8
  const std::vector four{0.0, 1.0, 2.0, 9.0};
  EXPECT_DOUBLE_EQ(trimmed_mean(four, 0.20), 3.0);  // floor(0.8) = none
  const std::vector fifteen{-50.0, -40.0, -30.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 70.0, 80.0, 90.0};
  EXPECT_DOUBLE_EQ(trimmed_mean(fifteen, 0.20), 1.0);
}

TEST(Estimate, StandardDeviationNeedsTwoValues) {
  EXPECT_FALSE(standard_deviation(std::vector{1.0}).has_value());
  EXPECT_DOUBLE_EQ(standard_deviation(std::vector{1.0, 3.0}).value(), std::sqrt(2.0));
}

TEST(Estimate, SkewnessHasTheSignOfTheLongSide) {
  EXPECT_GT(skewness(std::vector{0.0, 0.0, 0.0, 10.0}).value(), 1.0);
  EXPECT_LT(skewness(std::vector{0.0, 0.0, 0.0, -10.0}).value(), -1.0);
  EXPECT_NEAR(skewness(std::vector{-2.0, -1.0, 0.0, 1.0, 2.0}).value(), 0.0, 1e-12);
}

TEST(Estimate, SkewnessOfAKnownSample) {
  // g1 of {1, 2, 3, 10} is 1.0182338; times sqrt(12) / 2.
  EXPECT_NEAR(skewness(std::vector{1.0, 2.0, 3.0, 10.0}).value(), 1.7636, 1e-3);
}

TEST(Estimate, SkewnessIsUnavailableWithoutSpread) {
  EXPECT_FALSE(skewness(std::vector{1.0, 2.0}).has_value());
  EXPECT_FALSE(skewness(std::vector{4.0, 4.0, 4.0}).has_value());
  EXPECT_FALSE(skewness(std::vector<double>(12, std::log1p(0.05))).has_value());  // equal but for rounding
}

TEST(Estimate, PseudoMedianIsTheMedianOfPairMeans) {
  EXPECT_DOUBLE_EQ(pseudo_median(std::vector{1.0, 2.0, 6.0}), 2.75);  // 1 1.5 2 3.5 4 6
  EXPECT_DOUBLE_EQ(pseudo_median(std::vector{5.0}), 5.0);
}

TEST(Estimate, PseudoMedianResistsAnOutlier) {
  const std::vector sample{1.0, 1.1, 0.9, 1.05, 0.95, 1.0, 1000.0};
  EXPECT_NEAR(pseudo_median(sample), 1.0, 0.06);
}

TEST(Estimate, SmallSamplesHaveNoInterval) {
  EXPECT_FALSE(hodges_lehmann(std::vector{1.0, 2.0, 3.0, 4.0, 5.0}, 0.95).interval.has_value());
  const auto six = hodges_lehmann(std::vector{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, 0.95);
  ASSERT_TRUE(six.interval.has_value());  // 2 / 2^6 = 0.031 fits into 0.05
  EXPECT_DOUBLE_EQ(six.interval->lower, 1.0);
  EXPECT_DOUBLE_EQ(six.interval->upper, 6.0);
}

// The interval is the set of centres that the exact test keeps: tested just inside and outside.
TEST(Estimate, IntervalInvertsTheTest) {
  constexpr double k_step = 1e-9;
  Random random(3);
  for (const std::size_t n : {6U, 12U, 24U, 48U}) {
    const auto sample = normal_sample(random, n);
    const auto interval = hodges_lehmann(sample, 0.95).interval.value();
    EXPECT_GT(two_sided_p(sample, interval.lower + k_step), 0.05) << n;
    EXPECT_LE(two_sided_p(sample, interval.lower - k_step), 0.05) << n;
    EXPECT_GT(two_sided_p(sample, interval.upper - k_step), 0.05) << n;
    EXPECT_LE(two_sided_p(sample, interval.upper + k_step), 0.05) << n;
  }
}

TEST(Estimate, IntervalCoversTheTruthAsOftenAsItSays) {
  Random random(4);
  int covered = 0;
  constexpr int k_samples = 2000;
  for (int i = 0; i < k_samples; ++i) {
    const auto interval = hodges_lehmann(normal_sample(random, 24, 0.3), 0.95).interval.value();
    covered += interval.lower <= 0.3 && 0.3 <= interval.upper ? 1 : 0;
  }
  EXPECT_GE(covered, 1872);  // 0.95 less 3 standard errors
  EXPECT_LE(covered, 1936);  // and not so wide that it says nothing
}

TEST(Estimate, NegatingTheSampleMirrorsTheEstimate) {
  Random random(5);
  const auto sample = normal_sample(random, 17);
  std::vector<double> mirrored;
  for (const double value : sample) mirrored.push_back(-value);
  const auto a = hodges_lehmann(sample, 0.95);
  const auto b = hodges_lehmann(mirrored, 0.95);
  EXPECT_DOUBLE_EQ(a.value, -b.value);
  EXPECT_DOUBLE_EQ(a.interval->lower, -b.interval->upper);
  EXPECT_DOUBLE_EQ(a.interval->upper, -b.interval->lower);
}

TEST(Estimate, HigherConfidenceIsNeverNarrower) {
  Random random(6);
  const auto sample = normal_sample(random, 30);
  const auto narrow = hodges_lehmann(sample, 0.80).interval.value();
  const auto wide = hodges_lehmann(sample, 0.99).interval.value();
  EXPECT_LE(wide.lower, narrow.lower);
  EXPECT_GE(wide.upper, narrow.upper);
}

TEST(Estimate, EqualValuesGiveAPointInterval) {
  const auto estimate = hodges_lehmann(std::vector<double>(24, 0.25), 0.95);
  EXPECT_DOUBLE_EQ(estimate.value, 0.25);
  EXPECT_DOUBLE_EQ(estimate.interval->lower, 0.25);
  EXPECT_DOUBLE_EQ(estimate.interval->upper, 0.25);
}

}  // namespace
}  // namespace hone::stats
