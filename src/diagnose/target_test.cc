#include "diagnose/target.h"

#include <gtest/gtest.h>

namespace hone::diagnose {
namespace {

using task::DType;
using task::Metric;
using task::Objective;

task::BoundCase some_case(double weight, double bytes, double flops) {
  task::BoundCase one;
  one.weight = weight;
  one.bytes_read = bytes / 2;
  one.bytes_written = bytes / 2;
  one.flops = {{DType::f32, flops}};
  return one;
}

Floor some_floor(double memory_seconds, double launch_seconds = 0) {
  Floor floor;
  floor.terms = {{Resource::memory, "memory", memory_seconds, {}, {}},
                 {Resource::launch, "empty launch", launch_seconds, {}, {}}};
  return floor;
}

TEST(Target, EachMetricHasItsUnit) {
  const auto one = some_case(1.0, 2e6, 4e9);
  const std::vector<TimedCase> cases{{&one, some_floor(0.5e-3), 1e-3}};
  EXPECT_NEAR(*figure_of(Objective::geomean, Metric::latency, cases), 1000.0, 1e-9);
  EXPECT_NEAR(*figure_of(Objective::geomean, Metric::gbps, cases), 2.0, 1e-12);
  EXPECT_NEAR(*figure_of(Objective::geomean, Metric::tflops, cases), 4.0, 1e-12);
  EXPECT_NEAR(*figure_of(Objective::geomean, Metric::pct_of_peak, cases), 50.0, 1e-9);
}

TEST(Target, TheObjectiveSaysHowCasesAreCombined) {
  const auto a = some_case(1.0, 1e6, 1e9);
  const auto b = some_case(3.0, 4e6, 1e9);
  const std::vector<TimedCase> cases{{&a, {}, 1e-3}, {&b, {}, 2e-3}};
  EXPECT_NEAR(*figure_of(Objective::geomean, Metric::latency, cases), 1681.792830507429, 1e-6);  // 1000 · 2^(3/4)
  EXPECT_NEAR(*figure_of(Objective::total_time, Metric::latency, cases), 7000.0, 1e-9);
  EXPECT_NEAR(*figure_of(Objective::total_time, Metric::gbps, cases), 13e6 / 7e-3 * 1e-9, 1e-9);
}

TEST(Target, WhatACaseLacksIsAbsent) {
  auto one = some_case(1.0, 2e6, 4e9);
  one.flops.clear();
  const std::vector<TimedCase> cases{{&one, {}, 1e-3}};
  EXPECT_FALSE(figure_of(Objective::geomean, Metric::tflops, cases));
  EXPECT_FALSE(figure_of(Objective::geomean, Metric::pct_of_peak, cases));
  EXPECT_FALSE(figure_of(Objective::geomean, Metric::latency, {}));
}

TEST(Target, LatencyIsMetFromAboveRatesFromBelow) {
  const auto one = some_case(1.0, 2e6, 4e9);
  const std::vector<TimedCase> cases{{&one, {}, 1e-3}};
  const auto latency = evaluate({Objective::geomean, Metric::latency, 800.0, TargetOrigin::contract, ""}, cases);
  EXPECT_FALSE(latency->met);
  EXPECT_NEAR(latency->gap, 200.0, 1e-9);
  EXPECT_NEAR(latency->gap_fraction, 0.25, 1e-12);
  const auto rate = evaluate({Objective::geomean, Metric::gbps, 1.6, TargetOrigin::contract, ""}, cases);
  EXPECT_TRUE(rate->met);
  EXPECT_NEAR(rate->gap, -0.4, 1e-12);
}

TEST(Target, TheContractsGoalGoesFirst) {
  task::Target target;
  target.metric = Metric::gbps;
  target.value = 12.0;
  const auto goal = goal_of(target, {});
  ASSERT_TRUE(goal);
  EXPECT_EQ(goal->origin, TargetOrigin::contract);
  EXPECT_EQ(goal->value, 12.0);
}

TEST(Target, WithoutOneSeventyPercentOfTheCeilingIsDerived) {
  const auto one = some_case(1.0, 2e6, 0.0);
  const std::vector<TimedCase> cases{{&one, some_floor(0.6e-3, 5e-3), 1e-3}};
  const auto goal = goal_of({}, cases);
  ASSERT_TRUE(goal);
  EXPECT_EQ(goal->origin, TargetOrigin::derived);
  EXPECT_EQ(goal->metric, Metric::pct_of_peak);
  EXPECT_EQ(goal->reason, "70 % of the calibrated memory bandwidth (derived)");
  const auto state = evaluate(*goal, cases);
  EXPECT_NEAR(state->reached, 60.0, 1e-9) << "the empty launch is no peak";
  EXPECT_NEAR(state->gap, 10.0, 1e-9);
  EXPECT_FALSE(goal_of({}, {{&one, {}, 1e-3}}));
}

}  // namespace
}  // namespace hone::diagnose
