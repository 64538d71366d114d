#include "stats/simulate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/estimate.h"
#include "stats/tails.h"

// Seeds are fixed: these are checks of the rule's figures, not draws. Limits leave three standard
// errors around the figures of docs/results/decision_power.md.

namespace hone::stats {
namespace {

const Rule k_rule;
const Question k_question;

Tally run(double gain, const Noise& noise, std::size_t campaigns, std::uint64_t seed, const Rule& rule = k_rule) {
  return simulate(rule, k_question, rounds_with(gain, noise), campaigns, seed);
}

std::vector<double> draws(const Noise& noise, std::size_t n) {
  Random random(31);
  std::vector<double> sample;
  for (std::size_t i = 0; i < n; ++i) sample.push_back(noise(random));
  return sample;
}

TEST(Simulate, TheSameSeedGivesTheSameTally) {
  const Tally a = run(0.015, gaussian(0.01), 200, 5);
  const Tally b = run(0.015, gaussian(0.01), 200, 5);
  const Tally c = run(0.015, gaussian(0.01), 200, 6);
  EXPECT_EQ(a.by_reason, b.by_reason);
  EXPECT_EQ(a.rounds, b.rounds);
  EXPECT_NE(a.rounds, c.rounds);
}

TEST(Simulate, NoisesHaveMeanZeroAndTheirSd) {
  for (const Noise& noise : {gaussian(0.02), exponential(0.02, LongSide::slow), exponential(0.02, LongSide::fast)}) {
    const auto sample = draws(noise, 40'000);
    EXPECT_NEAR(mean(sample), 0.0, 0.0004);
    EXPECT_NEAR(standard_deviation(sample).value(), 0.02, 0.0004);
  }
  const auto heavy = draws(heavy_tail(0.02), 200'000);
  EXPECT_NEAR(median(heavy), 0.0, 0.0004);
  EXPECT_NEAR(standard_deviation(heavy).value(), 0.02, 0.002);  // a t with 3 degrees converges slowly
}

TEST(Simulate, LongSidesLieWhereTheyShould) {
  EXPECT_GT(skewness(draws(exponential(0.01, LongSide::slow), 10'000)).value(), 1.5);
  EXPECT_LT(skewness(draws(exponential(0.01, LongSide::fast), 10'000)).value(), -1.5);
}

TEST(Simulate, ResamplingDrawsOnlyWhatWasSeen) {
  for (const double value : draws(resampled({-0.25, 0.5}), 100)) EXPECT_TRUE(value == -0.25 || value == 0.5);
}

TEST(Simulate, ReasonsAddUpToTheCampaigns) {
  const Tally tally = run(0.012, gaussian(0.014), 300, 7);
  std::size_t sum = 0;
  for (const std::size_t n : tally.by_reason) sum += n;
  EXPECT_EQ(sum, 300U);
  EXPECT_GE(tally.mean_rounds(), 12.0);
}

// ---- Power

TEST(Power, TwoPercentAtOnePercentNoise) { EXPECT_GE(run(0.02, gaussian(0.01), 2000, 41).promoted_share(), 0.99); }

TEST(Power, TwoPercentAtTheNoiseOfTheTarget) { EXPECT_GE(run(0.02, gaussian(0.012), 2000, 42).promoted_share(), 0.95); }

TEST(Power, FallsWithTheNoise) {
  double before = 1.1;
  for (const double sd : {0.005, 0.014, 0.02, 0.03}) {
    const double now = run(0.02, gaussian(sd), 1000, 43).promoted_share();
    EXPECT_LT(now, before) << sd;
    before = now;
  }
  EXPECT_NEAR(before, 0.164, 0.036);
}

TEST(Power, RisesWithTheGain) {
  double before = -1.0;
  for (const double gain : {0.01, 0.0125, 0.015, 0.02, 0.03}) {
    const double now = run(gain, gaussian(0.014), 1000, 44).promoted_share();
    EXPECT_GT(now, before) << gain;
    before = now;
  }
  EXPECT_GE(before, 0.99);
}

TEST(Power, LateComparisonsNeedMoreEvidence) {
  Question late;
  late.comparison = 30;
  const auto source = rounds_with(0.02, gaussian(0.014));
  const double first = simulate(k_rule, k_question, source, 1000, 45).promoted_share();
  EXPECT_LT(simulate(k_rule, late, source, 1000, 45).promoted_share(), first);
}

TEST(Power, SmallestPromotableGainIsPromotedAndALittleLessIsNot) {
  const double gain = smallest_promotable_gain(k_rule, gaussian(0.014), 0.9, 400, 46).value();
  EXPECT_GT(gain, 0.017);
  EXPECT_LT(gain, 0.022);
  EXPECT_GE(run(gain, gaussian(0.014), 2000, 47).promoted_share(), 0.86);
  EXPECT_LT(run(gain - 0.003, gaussian(0.014), 2000, 47).promoted_share(), 0.86);
}

TEST(Power, NoGainIsPromotableInEnormousNoise) {
  EXPECT_FALSE(smallest_promotable_gain(k_rule, gaussian(5.0), 0.9, 50, 48).has_value());
}

// ---- False promotions

TEST(FalsePromotion, NoneOfThousandsOfIdenticalKernels) {
  for (const double sd : {0.005, 0.02, 0.10}) {
    EXPECT_EQ(run(0.0, gaussian(sd), 2000, 51).count(Reason::confirmed), 0U) << sd;
    EXPECT_EQ(run(0.0, heavy_tail(sd), 2000, 52).count(Reason::confirmed), 0U) << sd;
  }
}

TEST(FalsePromotion, AtTheBoundaryStageOneKeepsItsLevel) {
  for (const double sd : {0.005, 0.01, 0.02}) {
    const Tally tally = run(0.01, gaussian(sd), 4000, 53);
    EXPECT_LE(tally.stage1_share(), 0.0147) << sd;  // 0.01 and three standard errors
    EXPECT_LE(tally.promoted_share(), 0.0015) << sd;
  }
}

TEST(FalsePromotion, HeavySymmetricTailsChangeNothingAtTheBoundary) {
  const Tally tally = run(0.01, heavy_tail(0.02), 4000, 54);
  EXPECT_LE(tally.stage1_share(), 0.0147);
  EXPECT_LE(tally.promoted_share(), 0.0015);
}

// The test is of the pseudo-median: noise that is lopsided the wrong way is what its level is not
// exact for. The figure is known, printed by the selftest and the reason for its skewness check.
TEST(FalsePromotion, SkewedNoiseIsTheKnownWeakness) {
  const Tally tally = run(0.01, exponential(0.02, LongSide::slow), 2000, 55);
  EXPECT_GT(tally.stage1_share(), 0.03);
  EXPECT_LT(tally.stage1_share(), 0.16);
  EXPECT_LE(run(0.0, exponential(0.01, LongSide::slow), 2000, 56).count(Reason::confirmed), 0U);
}

TEST(FalsePromotion, DeltaZeroWithASingleLookHasItsExactLevel) {
  Random random(57);
  std::size_t passed = 0;
  constexpr std::size_t k_tests = 6000;
  for (std::size_t i = 0; i < k_tests; ++i) {
    std::vector<double> gains;
    for (int j = 0; j < 12; ++j) gains.push_back(random.normal());
    passed += signed_rank_test(gains).p < 0.05 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(passed) / k_tests, 0.0461, 0.008);
}

// ---- Tails, launch by launch

Tally run(const LaunchModel& model, std::size_t campaigns, std::uint64_t seed) {
  return simulate(k_rule, k_question, rounds_with(k_rule, model), campaigns, seed);
}

TEST(Tail, FastMostlyButFiveTimesSlowerInEveryTwentiethLaunchIsNeverPromoted) {
  for (const std::size_t quads : {3U, 10U, 50U}) {
    const LaunchModel model{.gain_fraction = 0.02, .quads = quads, .slow_share = 0.05, .slow_factor = 5.0};
    EXPECT_EQ(run(model, 150, 61).count(Reason::confirmed), 0U) << quads;
  }
}

TEST(Tail, TheTailRuleIsWhatCatchesIt) {
  const LaunchModel model{.gain_fraction = 0.02, .quads = 50, .slow_share = 0.05, .slow_factor = 5.0};
  const Tally tally = run(model, 100, 62);
  EXPECT_GE(tally.stage1_share(), 0.95);  // the trimmed mean alone is fooled
  EXPECT_GE(tally.share(tally.count(Reason::tail)), 0.9);
}

TEST(Tail, RareButHugeIsCaughtWhereItShows) {
  const LaunchModel model{.gain_fraction = 0.02, .quads = 50, .slow_share = 0.005, .slow_factor = 50.0};
  EXPECT_EQ(run(model, 100, 63).count(Reason::confirmed), 0U);
}

// Slower by 2 % in the mean: 480 launches of the confirmation alone would miss it one time in eight.
TEST(Tail, OneLaunchInAHundredFiveTimesSlowerIsMissedNoMoreThanOneTimeInTwenty) {
  EXPECT_LE(run({.gain_fraction = 0.02, .slow_share = 0.01, .slow_factor = 5.0}, 1000, 66).promoted_share(), 0.06);
}

TEST(Tail, HonestCandidatesPassWithoutSpikes) {
  EXPECT_GE(run({.gain_fraction = 0.02}, 300, 64).promoted_share(), 0.97);
}

TEST(Tail, HonestCandidatesMostlySurviveSpikesThatBothArmsShare) {
  const LaunchModel model{.gain_fraction = 0.05, .spike_share = 0.01, .spike_factor = 3.0};
  EXPECT_GE(run(model, 300, 65).promoted_share(), 0.93);
}

}  // namespace
}  // namespace hone::stats
