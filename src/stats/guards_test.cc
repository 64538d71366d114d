#include "stats/guards.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hone::stats {
namespace {

const Rule k_rule;

std::vector<Quad> quads(std::size_t slower, std::size_t faster, double slow_by, double fast_by) {
  std::vector<Quad> result;
  for (std::size_t i = 0; i < slower; ++i) result.push_back({Order::incumbent_first, {1, slow_by, slow_by, 1}});
  for (std::size_t i = 0; i < faster; ++i) result.push_back({Order::candidate_first, {fast_by, 1, 1, fast_by}});
  return result;
}

Estimate estimate(double value, double lower, double upper) { return {value, Interval{lower, upper}}; }

TEST(Screen, RejectsAClearLossThatAllQuadsSee) {
  EXPECT_EQ(screen(k_rule, quads(10, 0, 1.06, 1.0)), Screen::reject);
  EXPECT_EQ(screen(k_rule, quads(9, 1, 1.06, 0.9)), Screen::reject);
}

TEST(Screen, GoesOnAtALossOfFivePercent) { EXPECT_EQ(screen(k_rule, quads(10, 0, 1.049, 1.0)), Screen::go_on); }

TEST(Screen, GoesOnWhenQuadsDisagree) { EXPECT_EQ(screen(k_rule, quads(17, 3, 1.2, 0.9)), Screen::go_on); }

TEST(Screen, NeverAccepts) { EXPECT_EQ(screen(k_rule, quads(0, 50, 1.0, 0.1)), Screen::go_on); }

TEST(Screen, NeedsTenQuads) {
  EXPECT_EQ(screen(k_rule, quads(9, 0, 2.0, 1.0)), Screen::too_few_quads);
  EXPECT_EQ(screen(k_rule, {}), Screen::too_few_quads);
}

TEST(Screen, ATimeWithoutSenseDecidesNothing) {
  auto broken = quads(12, 0, 2.0, 1.0);
  broken[3].t_ns[2] = 0.0;
  EXPECT_EQ(screen(k_rule, broken), Screen::too_few_quads);
  broken[3].t_ns[2] = -1.0;
  EXPECT_EQ(screen(k_rule, broken), Screen::too_few_quads);
}

TEST(Floor, AlarmsBelowNinetyFivePercentOfIt) {
  EXPECT_TRUE(is_below_floor(k_rule, 94.9, 100.0));
  EXPECT_FALSE(is_below_floor(k_rule, 95.1, 100.0));
  EXPECT_FALSE(is_below_floor(k_rule, 200.0, 100.0));
}

TEST(Surprise, ThirtyPercentInEitherDirection) {
  EXPECT_TRUE(is_surprising(k_rule, std::log(1.31)));
  EXPECT_TRUE(is_surprising(k_rule, -std::log(1.31)));
  EXPECT_FALSE(is_surprising(k_rule, std::log(1.29)));
  EXPECT_FALSE(is_surprising(k_rule, -std::log(1.29)));
}

TEST(Repetition, AgreesWhereIntervalsOverlap) {
  EXPECT_TRUE(repetition_agrees(k_rule, estimate(0.30, 0.1, 0.5), estimate(0.60, 0.45, 0.8)));
}

TEST(Repetition, AgreesWithinAQuarterOfTheLarger) {
  EXPECT_TRUE(repetition_agrees(k_rule, estimate(0.40, 0.399, 0.401), estimate(0.32, 0.319, 0.321)));
  EXPECT_FALSE(repetition_agrees(k_rule, estimate(0.40, 0.399, 0.401), estimate(0.28, 0.279, 0.281)));
}

TEST(Repetition, DisagreesAcrossZero) {
  EXPECT_FALSE(repetition_agrees(k_rule, estimate(0.40, 0.39, 0.41), estimate(-0.35, -0.36, -0.34)));
}

TEST(Repetition, IsSymmetric) {
  const auto a = estimate(0.40, 0.399, 0.401);
  for (const double value : {0.28, 0.31, 0.39, 0.52, 0.56}) {
    const Estimate b{value, std::nullopt};
    EXPECT_EQ(repetition_agrees(k_rule, a, b), repetition_agrees(k_rule, b, a)) << value;
  }
}

TEST(Repetition, TinyDifferencesNeverDisagree) {
  EXPECT_TRUE(repetition_agrees(k_rule, {0.004, std::nullopt}, {-0.004, std::nullopt}));
}

TEST(Scrutiny, BeyondThreeTimes) {
  EXPECT_TRUE(needs_scrutiny(k_rule, std::log(3.01)));
  EXPECT_FALSE(needs_scrutiny(k_rule, std::log(2.99)));
  EXPECT_FALSE(needs_scrutiny(k_rule, -std::log(10.0)));
}

TEST(Clocks, WindowsBelowZeroOrBelowTheEventsContradict) {
  const auto events = estimate(0.05, 0.045, 0.055);
  EXPECT_TRUE(clocks_contradict(estimate(-0.01, -0.02, -0.001), events, 0.0));
  EXPECT_TRUE(clocks_contradict(estimate(0.03, 0.02, 0.044), events, 0.0));
}

TEST(Clocks, OverlapAndLargerWindowsDoNot) {
  const auto events = estimate(0.05, 0.045, 0.055);
  EXPECT_FALSE(clocks_contradict(estimate(0.03, 0.01, 0.046), events, 0.0));
  EXPECT_FALSE(clocks_contradict(estimate(0.2, 0.1, 0.3), events, 0.0));
  EXPECT_FALSE(clocks_contradict(estimate(0.0, -0.1, 0.1), events, 0.0));
}

// 5 us against 4: between the marks a gain of 22 %, in windows that add 2 us to either 15 %.
TEST(Clocks, TheStartOfALaunchIsAllowedFor) {
  const Rule rule;
  const double allowance = window_allowance(rule, {}, std::vector{4e3}, std::vector{5e3});
  EXPECT_NEAR(allowance, std::log(5.0 / 4.0) - std::log(7.0 / 6.0), 1e-12);
  const auto events = estimate(0.223, 0.21, 0.23);
  EXPECT_TRUE(clocks_contradict(estimate(0.154, 0.15, 0.16), events, 0.0));
  EXPECT_FALSE(clocks_contradict(estimate(0.154, 0.15, 0.16), events, allowance));
  EXPECT_TRUE(clocks_contradict(estimate(0.10, 0.09, 0.11), events, allowance));
  EXPECT_EQ(window_allowance(rule, {}, std::vector{5e3}, std::vector{4e3}), 0.0) << "a loss needs none";
}

TEST(Clocks, WithoutIntervalsNothingIsContradicted) {
  EXPECT_FALSE(clocks_contradict({-0.5, std::nullopt}, estimate(0.05, 0.045, 0.055), 0.0));
  EXPECT_FALSE(clocks_contradict(estimate(-0.5, -0.6, -0.4), {0.05, std::nullopt}, 0.0));
}

}  // namespace
}  // namespace hone::stats
