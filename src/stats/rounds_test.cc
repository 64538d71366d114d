#include "stats/rounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stats/estimate.h"
#include "stats/simulate.h"

namespace hone::stats {
namespace {

const Rule k_rule;

// a = incumbent, b = candidate, in nanoseconds.
Quad abba(double a, double b) { return {Order::incumbent_first, {a, b, b, a}}; }
Quad baab(double a, double b) { return {Order::candidate_first, {b, a, a, b}}; }

CaseRound case_round(std::size_t index, std::vector<Quad> quads) { return {index, std::move(quads), {}}; }

TEST(Rounds, LnRatioIsCandidateOverIncumbentInBothOrders) {
  EXPECT_NEAR(ln_ratio(abba(100.0, 80.0)), std::log(0.8), 1e-12);
  EXPECT_NEAR(ln_ratio(baab(100.0, 80.0)), std::log(0.8), 1e-12);
}

TEST(Rounds, LinearDriftCancelsWithinAQuad) {
  const auto drifting = [](double launch) { return std::exp(0.01 * launch); };
  const Quad quad{Order::incumbent_first, {drifting(0), drifting(1), drifting(2), drifting(3)}};
  EXPECT_NEAR(ln_ratio(quad), 0.0, 1e-12);
}

TEST(Rounds, TrimmingHidesAnInterruptedQuadAndTheSumsKeepIt) {
  std::vector<Quad> quads(9, abba(100.0, 100.0));
  quads.push_back(abba(100.0, 10'000.0));
  const auto summary = summarise_case(k_rule, case_round(0, quads));
  EXPECT_DOUBLE_EQ(summary.d, 0.0);
  EXPECT_DOUBLE_EQ(summary.sums.candidate_ns, 18 * 100.0 + 2 * 10'000.0);
  EXPECT_DOUBLE_EQ(summary.sums.incumbent_ns, 2000.0);
  EXPECT_DOUBLE_EQ(summary.sums.launches, 20.0);
  EXPECT_DOUBLE_EQ(summary.incumbent_ns, 100.0);
}

TEST(Rounds, GeomeanWeighsTheCases) {
  const Weighting weighting{Objective::geomean, {3.0, 1.0}};
  EXPECT_DOUBLE_EQ(combine(weighting, std::vector{-0.4, 0.2}, std::vector{1.0, 1e9}), (3 * -0.4 + 0.2) / 4.0);
}

TEST(Rounds, TotalTimeWeighsTheTime) {
  const Weighting weighting{Objective::total_time, {1.0, 2.0}};
  const double d = combine(weighting, std::vector{std::log(0.5), 0.0}, std::vector{100.0, 50.0});
  EXPECT_NEAR(d, std::log((50.0 + 100.0) / 200.0), 1e-12);
}

TEST(Rounds, OnlyProportionsOfWeightsMatter) {
  const std::vector d{-0.1, 0.3};
  const std::vector t{10.0, 70.0};
  for (const Objective objective : {Objective::geomean, Objective::total_time}) {
    const Weighting small{objective, {0.1, 0.4}};
    const Weighting large{objective, {10.0, 40.0}};
    EXPECT_NEAR(combine(small, d, t), combine(large, d, t), 1e-12);
  }
}

TEST(Rounds, ShuffledCasesAreFoundByTheirIndex) {
  const Weighting weighting{Objective::geomean, {1.0, 1.0}};
  const Round round{{case_round(1, {abba(100.0, 50.0)}), case_round(0, {baab(10.0, 20.0)})}};
  const auto summary = summarise(k_rule, weighting, round).value();
  EXPECT_NEAR(summary.cases[0].d, std::log(2.0), 1e-12);
  EXPECT_NEAR(summary.cases[1].d, std::log(0.5), 1e-12);
  EXPECT_NEAR(summary.d, 0.0, 1e-12);
}

TEST(Rounds, QuadsAreCountedByTheirLeader) {
  Round round{{case_round(0, {abba(1, 1), abba(1, 1), baab(1, 1)})}};
  round.cases[0].discarded = {4, 5};
  const auto summary = summarise(k_rule, Weighting{}, round).value();
  EXPECT_EQ(summary.kept.incumbent_first, 2U);
  EXPECT_EQ(summary.kept.candidate_first, 1U);
  EXPECT_EQ(summary.discarded.incumbent_first, 4U);
  EXPECT_EQ(summary.discarded.candidate_first, 5U);
}

TEST(Rounds, RoundsThatDoNotFitAreRefused) {
  const Weighting two{Objective::geomean, {1.0, 1.0}};
  const Quad quad = abba(1.0, 1.0);
  EXPECT_FALSE(summarise(k_rule, two, Round{{case_round(0, {quad})}}));                         // one missing
  EXPECT_FALSE(summarise(k_rule, two, Round{{case_round(0, {quad}), case_round(0, {quad})}}));  // one twice
  EXPECT_FALSE(summarise(k_rule, two, Round{{case_round(0, {quad}), case_round(2, {quad})}}));  // unknown
  EXPECT_FALSE(summarise(k_rule, two, Round{{case_round(0, {quad}), case_round(1, {})}}));      // no quads
  EXPECT_FALSE(summarise(k_rule, Weighting{Objective::geomean, {}}, Round{}));
  EXPECT_FALSE(summarise(k_rule, Weighting{Objective::geomean, {0.0}}, Round{{case_round(0, {quad})}}));
  EXPECT_TRUE(summarise(k_rule, two, Round{{case_round(0, {quad}), case_round(1, {quad})}}));
}

TEST(Rounds, TimesWithoutSenseAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_FALSE(summarise(k_rule, Weighting{}, Round{{case_round(0, {abba(1, 1), abba(1, bad)})}})) << bad;
  }
}

TEST(Rounds, TailOfARoundIsUntrimmed) {
  std::vector<Quad> quads(9, abba(100.0, 98.0));
  quads.push_back(baab(100.0, 500.0));
  const auto summary = summarise(k_rule, Weighting{}, Round{{case_round(0, quads)}}).value();
  EXPECT_NEAR(summary.d, std::log(0.98), 1e-12);
  EXPECT_NEAR(summary.tail, std::log((18 * 98.0 + 1000.0) / 2000.0), 1e-12);
}

TEST(Rounds, PooledTailAddsLaunchesNotRatios) {
  const auto fast = summarise(k_rule, Weighting{}, Round{{case_round(0, {abba(100.0, 50.0)})}}).value();
  const auto slow = summarise(k_rule, Weighting{}, Round{{case_round(0, {abba(100.0, 200.0)})}}).value();
  const std::vector rounds{fast, slow};
  EXPECT_NEAR(pooled_tail(Weighting{}, rounds), std::log(500.0 / 400.0), 1e-12);
  EXPECT_NEAR(pooled_tail_of_case(rounds, 0), std::log(500.0 / 400.0), 1e-12);
}

TEST(Rounds, PooledTailOfSeveralCasesFollowsTheObjective) {
  const Weighting geomean{Objective::geomean, {1.0, 1.0}};
  const Weighting total{Objective::total_time, {1.0, 1.0}};
  const Round round{{case_round(0, {abba(100.0, 50.0)}), case_round(1, {abba(300.0, 600.0)})}};
  const std::vector by_geomean{summarise(k_rule, geomean, round).value()};
  const std::vector by_total{summarise(k_rule, total, round).value()};
  EXPECT_NEAR(pooled_tail(geomean, by_geomean), 0.0, 1e-12);
  EXPECT_NEAR(pooled_tail(total, by_total), std::log(650.0 / 400.0), 1e-12);
}

// A launch after B takes 3 % longer, whoever it is: lasting effect of A minus that of B is -3 %.
TEST(Rounds, CarryOverSeesWhoRanBefore) {
  const double late = std::exp(0.03);
  const Quad led_by_a{Order::incumbent_first, {1.0, 1.0, late, late}};
  const Quad led_by_b{Order::candidate_first, {1.0, late, 1.0, 1.0}};
  EXPECT_NEAR(carry_over_of(led_by_a), -0.03, 1e-12);
  EXPECT_NEAR(carry_over_of(led_by_b), -0.03, 1e-12);
}

// "The second launch of a quad is slow" opposes the two orders and leaves nothing on average.
TEST(Rounds, PositionInTheQuadIsNoCarryOver) {
  const Quad led_by_a{Order::incumbent_first, {1.0, 1.1, 1.0, 1.0}};
  const Quad led_by_b{Order::candidate_first, {1.0, 1.1, 1.0, 1.0}};
  EXPECT_NEAR(carry_over_of(led_by_a) + carry_over_of(led_by_b), 0.0, 1e-12);
  const Quad slow_first{Order::incumbent_first, {2.0, 1.0, 1.0, 1.0}};
  EXPECT_DOUBLE_EQ(carry_over_of(slow_first), 0.0);
}

TEST(Rounds, ExchangingTheArmsMirrorsEveryFigure) {
  Random random(11);
  const Round round = simulate_round({.gain_fraction = 0.07, .slow_share = 0.1, .slow_factor = 3.0}, random);
  Round exchanged = round;
  for (Quad& quad : exchanged.cases[0].quads) {
    quad.order = quad.order == Order::incumbent_first ? Order::candidate_first : Order::incumbent_first;
  }
  const auto a = summarise(k_rule, Weighting{}, round).value();
  const auto b = summarise(k_rule, Weighting{}, exchanged).value();
  EXPECT_NEAR(a.d, -b.d, 1e-12);
  EXPECT_NEAR(a.tail, -b.tail, 1e-12);
  EXPECT_NEAR(a.carry_over, -b.carry_over, 1e-12);
}

TEST(Rounds, AFifthOfTheQuadsMayBeLost) {
  EXPECT_TRUE(has_enough_quads(k_rule, 80, 100));
  EXPECT_FALSE(has_enough_quads(k_rule, 79, 100));
  EXPECT_TRUE(has_enough_quads(k_rule, 8, 10));
}

}  // namespace
}  // namespace hone::stats
