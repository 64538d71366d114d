// Stop rules and the decide table: pure, every status with a test of its own.
#include "loop/stop.h"

#include <gtest/gtest.h>

#include <cmath>

#include "campaign/testing/history.h"
#include "campaign/testing/sample_events.h"
#include "loop/decide.h"

namespace hone::loop {
namespace {

using campaign::ExperimentStatus;
using campaign::Outcome;
using campaign::StopStatus;
using campaign::Verdict;
using campaign::testing::digest_of;
using campaign::testing::History;

// ---- decide
// ----------------------------------------------------------------------------------------------------------------------

Verdict verdict_of(Outcome outcome, std::optional<double> gain = {}, std::optional<campaign::Interval> interval = {}) {
  Verdict verdict;
  verdict.outcome = outcome;
  verdict.comparison.emplace();
  verdict.comparison->gain = gain;
  verdict.comparison->gain_interval = interval;
  campaign::CaseTimes times;
  times.p50_s = 1e-3;
  verdict.candidate_times = {times};
  return verdict;
}

struct Row {
  Outcome outcome;
  ExperimentStatus status;
};

TEST(Decide, EveryOutcomeHasItsStatus) {
  constexpr Row k_rows[] = {
      {Outcome::faster, ExperimentStatus::improved},
      {Outcome::not_faster, ExperimentStatus::neutral},
      {Outcome::inconclusive, ExperimentStatus::neutral},
      {Outcome::incumbent_wrong, ExperimentStatus::neutral},
      {Outcome::suspect, ExperimentStatus::failed},
      {Outcome::violation, ExperimentStatus::failed},
      {Outcome::incorrect_shape, ExperimentStatus::failed},
      {Outcome::incorrect_dtype, ExperimentStatus::failed},
      {Outcome::incorrect_numerical, ExperimentStatus::failed},
      {Outcome::compile_error, ExperimentStatus::failed},
      {Outcome::launch_error, ExperimentStatus::failed},
      {Outcome::runtime_error, ExperimentStatus::failed},
      {Outcome::timeout, ExperimentStatus::failed},
      {Outcome::out_of_memory, ExperimentStatus::failed},
  };
  for (const Row& row : k_rows)
    EXPECT_EQ(decide(verdict_of(row.outcome), {}).status, row.status) << name_of(row.outcome);
}

TEST(Decide, AProvenGainWithinTheTargetMeetsIt) {
  EXPECT_EQ(decide(verdict_of(Outcome::faster), 1.0001e-3).status, ExperimentStatus::target_met);
  EXPECT_EQ(decide(verdict_of(Outcome::faster), 0.9e-3).status, ExperimentStatus::improved);
  EXPECT_EQ(decide(verdict_of(Outcome::not_faster), 1e-3).status, ExperimentStatus::neutral) << "nothing was proven";
}

TEST(Decide, RegressedOnlyWhenTheWholeIntervalIsBelowZero) {
  const auto status = [](double low, double high) {
    return decide(verdict_of(Outcome::not_faster, (low + high) / 2, campaign::Interval{low, high}), {}).status;
  };
  EXPECT_EQ(status(-0.2, -0.1), ExperimentStatus::regressed);
  EXPECT_EQ(status(-0.2, 0.0), ExperimentStatus::neutral);
  EXPECT_EQ(status(-0.2, 0.1), ExperimentStatus::neutral);
}

TEST(Decide, TheChangeIsAFractionOfSpeed) {
  EXPECT_NEAR(*decide(verdict_of(Outcome::faster, std::log(1.25)), {}).delta, 0.25, 1e-12);
  EXPECT_FALSE(decide(verdict_of(Outcome::compile_error), {}).delta.has_value());
}

TEST(Decide, WhatDidNotComeBackIsUnstableAndHasNoNumber) {
  Verdict verdict = verdict_of(Outcome::inconclusive, 0.5);
  verdict.reason = "unstable";
  EXPECT_EQ(decide(verdict, {}).status, ExperimentStatus::unstable);
  EXPECT_FALSE(decide(verdict, {}).delta.has_value());
}

// ---- stop
// ------------------------------------------------------------------------------------------------------------------------

class StopRules : public ::testing::Test {
 protected:
  StopRules() {
    history_.add(campaign::CampaignOpened{1, "softmax", {}, campaign::testing::sample_pins(), ""})
        .add(campaign::SessionStarted{})
        .add(campaign::CandidateAdded{digest_of('a'), {}, "baseline", {}, {}, {}})
        .add(campaign::CandidateAdded{digest_of('b'), {}, "tune", {}, {}, {}})
        .add(campaign::BaselineSet{digest_of('a'), digest_of('3'), "tree0", "commit0", "6:00", 6});
  }
  // One experiment with this end; `offered` or found nothing.
  void add(ExperimentStatus status, std::optional<double> delta = {}, bool offered = true) {
    const uint64_t number = history_.state().experiments.size() + 1;
    history_.add(campaign::ExperimentStarted{number, digest_of('a'), 1, "g", "", "", "", ""});
    if (offered) history_.add(campaign::CandidateOffered{number, digest_of('b')});
    history_.add(campaign::Decided{number, status, Outcome::not_faster, "", delta, {}});
  }
  void add(int count, ExperimentStatus status, std::optional<double> delta = {}) {
    for (int i = 0; i < count; ++i) add(status, delta);
  }
  std::optional<StopStatus> stop() {
    in_.state = &history_.state();
    const auto found = check_stop(in_);
    if (!found) return std::nullopt;
    EXPECT_FALSE(found->reason.empty());
    return found->status;
  }

  History history_;
  StopInputs in_;
};

TEST_F(StopRules, NothingStopsAFreshRun) { EXPECT_EQ(stop(), std::nullopt); }

TEST_F(StopRules, TargetMet) {
  in_.best_seconds = 1e-3;
  in_.target_seconds = 0.9e-3;
  EXPECT_EQ(stop(), std::nullopt);
  in_.target_seconds = 1e-3;
  EXPECT_EQ(stop(), StopStatus::target_met);
}

TEST_F(StopRules, TargetMetGoesBeforeEverythingElse) {
  add(5, ExperimentStatus::neutral);
  in_.best_seconds = in_.target_seconds = 1e-3;
  in_.iteration_limit = 5;
  in_.fraction_of_floor = 1;
  in_.time_left = Nanoseconds(0);
  EXPECT_EQ(stop(), StopStatus::target_met);
}

TEST_F(StopRules, AtFloorFromNinetyFivePercent) {
  in_.fraction_of_floor = 0.9499;
  EXPECT_EQ(stop(), std::nullopt);
  in_.fraction_of_floor = 0.95;
  EXPECT_EQ(stop(), StopStatus::at_floor);
}

TEST_F(StopRules, WhoWaitsForAJudgementGetsOneFirst) {
  in_.best_seconds = in_.target_seconds = 1e-3;
  in_.fraction_of_floor = 1;
  in_.judgement_awaited = true;
  EXPECT_EQ(stop(), std::nullopt);
  in_.judgement_awaited = false;
  EXPECT_EQ(stop(), StopStatus::target_met);
}

TEST_F(StopRules, BudgetWhenTheTimeLeftHoldsNoExperiment) {
  in_.needed_for_next = std::chrono::seconds(4);
  in_.time_left = std::chrono::seconds(5);
  EXPECT_EQ(stop(), std::nullopt);
  in_.time_left = std::chrono::seconds(4);
  EXPECT_EQ(stop(), StopStatus::budget);
}

TEST_F(StopRules, BudgetWhenTheDeviceTimeIsSpent) {
  in_.device_seconds_limit = 10;
  history_.add(campaign::BudgetReserved{"j", 20}).add(campaign::BudgetSettled{"j", 9.9});
  EXPECT_EQ(stop(), std::nullopt);
  history_.add(campaign::BudgetReserved{"k", 1}).add(campaign::BudgetSettled{"k", 0.1});
  EXPECT_EQ(stop(), StopStatus::budget);
}

TEST_F(StopRules, MaxIterationsCountsWhatWasOffered) {
  in_.iteration_limit = k_default_iterations;
  EXPECT_EQ(k_default_iterations, 5u);
  add(ExperimentStatus::improved, 0.5);
  for (int i = 0; i < 8; ++i) add(ExperimentStatus::neutral, {}, false);
  add(3, ExperimentStatus::improved, 0.5);
  EXPECT_EQ(stop(), std::nullopt) << "a search that offered nothing is no iteration";
  add(ExperimentStatus::improved, 0.5);
  EXPECT_EQ(stop(), StopStatus::max_iterations);
}

TEST_F(StopRules, IterationsOfAFinishedRunDoNotCount) {
  in_.iteration_limit = 2;
  add(2, ExperimentStatus::improved, 0.5);
  EXPECT_EQ(stop(), StopStatus::max_iterations);
  history_.add(campaign::Stopped{StopStatus::max_iterations, "", 1, 0}).add(campaign::SessionStarted{});
  EXPECT_EQ(stop(), std::nullopt);
  add(ExperimentStatus::neutral);
  history_.add(campaign::SessionStarted{});  // the session before died
  add(ExperimentStatus::neutral);
  EXPECT_EQ(stop(), StopStatus::max_iterations);
}

TEST_F(StopRules, PlateauAfterFiveInARowWithoutAGain) {
  add(ExperimentStatus::improved, 0.5);
  add(4, ExperimentStatus::neutral);
  EXPECT_EQ(stop(), std::nullopt);
  add(ExperimentStatus::failed);
  EXPECT_EQ(stop(), StopStatus::plateau);
}

TEST_F(StopRules, AGainEndsAPlateau) {
  add(4, ExperimentStatus::regressed);
  add(ExperimentStatus::improved, 0.5);
  add(ExperimentStatus::neutral);
  EXPECT_EQ(stop(), std::nullopt);
}

TEST_F(StopRules, PlateauAfterThreePromotionsBelowDelta) {
  add(2, ExperimentStatus::improved, 0.005);
  EXPECT_EQ(stop(), std::nullopt);
  add(ExperimentStatus::improved, 0.005);
  EXPECT_EQ(stop(), StopStatus::plateau);
}

TEST_F(StopRules, AGainOfDeltaIsNotSmall) {
  add(2, ExperimentStatus::improved, 0.005);
  add(ExperimentStatus::improved, 0.01);
  EXPECT_EQ(stop(), std::nullopt);
}

}  // namespace
}  // namespace hone::loop
