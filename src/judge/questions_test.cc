// What is asked in which order, and what becomes of every answer: the questions over a bench that writes down what was
// asked of it.
#include "judge/questions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "judge/testing/fake_bench.h"
#include "task/task_folder_for_tests.h"

namespace hone::judge {
namespace {

using campaign::Outcome;
using testing::ElementsAre;
using testing::HasSubstr;

class Questions : public testing::Test {
 protected:
  Questions() {
    job_.id = "j1";
    job_.candidate.files = {{"kernel.cpp", false, "the candidate"}};
    job_.incumbent = CandidateText{{{"kernel.cpp", false, "the incumbent"}}, {}, {}};
    observer_.round = [this](const RoundRecord& record) {
      heard_.push_back(record);
      return observed_;
    };
    observer_.cancelled = [this] { return bench_.acts.size() >= cancel_after_; };
  }

  Result<campaign::Verdict> ask(campaign::Question question) {
    job_.question = question;
    return answer(task_, job_, bench_, observer_);
  }
  campaign::Verdict verdict(campaign::Question question) {
    const auto answered = ask(question);
    EXPECT_TRUE(answered) << to_text(answered.error());
    return answered ? *answered : campaign::Verdict{};
  }
  campaign::Verdict compare() { return verdict(campaign::Question::compare); }

  size_t position(const std::string& act) const {
    return static_cast<size_t>(std::find(bench_.acts.begin(), bench_.acts.end(), act) - bench_.acts.begin());
  }
  bool has_note(const campaign::Verdict& verdict, const std::string& part) const {
    return std::any_of(verdict.notes.begin(), verdict.notes.end(),
                       [&](const std::string& note) { return note.find(part) != std::string::npos; });
  }

  task::TaskFolder folder_{task::scale_files()};
  task::Task task_ = *folder_.read().task;
  JudgingJob job_;
  FakeBench bench_;
  Observer observer_;
  std::vector<RoundRecord> heard_;
  Status observed_ = ok();
  size_t cancel_after_ = SIZE_MAX;
};

// ---- compare: the order of acts
// ---------------------------------------------------------------------------------------------------------

TEST_F(Questions, AComparisonBuildsBothAndTriesBothBeforeItsFirstRound) {
  compare();
  ASSERT_GE(bench_.acts.size(), 5u);
  EXPECT_THAT(std::vector(bench_.acts.begin(), bench_.acts.begin() + 5),
              ElementsAre("build incumbent", "build candidate", "verify incumbent 0+5", "verify candidate 0+5",
                          "round stage1 0"));
}

TEST_F(Questions, TheOtherTrialsStandBetweenTheStages) {
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::faster);
  EXPECT_EQ(position("verify candidate 5+15"), position("round stage1 11") + 1);
  EXPECT_EQ(position("round confirmation 0"), position("verify candidate 5+15") + 1);
  EXPECT_EQ(bench_.count("round stage1"), 12u);
  EXPECT_EQ(bench_.count("round confirmation"), 24u);
  EXPECT_EQ(bench_.acts.back(), "floors");
  EXPECT_EQ(bench_.count("verify incumbent"), 1u);
}

TEST_F(Questions, AConfirmedGainIsReportedWithAllItsEvidence) {
  const campaign::Verdict verdict = compare();
  ASSERT_TRUE(verdict.comparison);
  EXPECT_NEAR(*verdict.comparison->gain, 0.05, 0.005);
  EXPECT_NEAR(*verdict.comparison->speedup, std::exp(0.05), 0.01);
  ASSERT_EQ(verdict.comparison->looks.size(), 2u);
  EXPECT_EQ(verdict.comparison->looks[0].stage, "stage1");
  EXPECT_EQ(verdict.comparison->looks[1].stage, "confirmation");
  EXPECT_TRUE(verdict.comparison->looks[1].passed);
  EXPECT_EQ(verdict.comparison->stage1_rounds, 12u);
  EXPECT_EQ(verdict.comparison->confirmation_rounds, 24u);
  EXPECT_TRUE(verdict.comparison->harm_p_values.contains("large"));
  EXPECT_EQ(verdict.correctness->trials, 20u);
  EXPECT_EQ(verdict.correctness->launches_checked_against_pair, 36u * 40);
  EXPECT_EQ(verdict.correctness->launches_checked_against_oracle, 36u * 4);
  EXPECT_EQ(verdict.sub_keys.size(), 36u);
  ASSERT_EQ(verdict.candidate_times.size(), 1u);
  EXPECT_LT(verdict.candidate_times[0].p50_s, verdict.incumbent_times[0].p50_s);
  EXPECT_TRUE(has_note(verdict, "48 timed launches of stage1 were checked whole"));
  EXPECT_TRUE(has_note(verdict, "96 timed launches of confirmation were checked whole"));
  EXPECT_TRUE(has_note(verdict, "a note of the bench"));
}

TEST_F(Questions, EveryRoundIsHeardBeforeTheNextBegins) {
  compare();
  ASSERT_EQ(heard_.size(), 36u);
  for (size_t i = 0; i < heard_.size(); ++i) EXPECT_EQ(heard_[i].index, i < 12 ? i : i - 12);
  EXPECT_NEAR(heard_[0].gain, 0.05, 0.003);
}

TEST_F(Questions, AnObserverThatCannotKeepARoundEndsTheJob) {
  observed_ = Error{ErrorCode::io, "the disk is full"};
  const auto answered = ask(campaign::Question::compare);
  ASSERT_FALSE(answered);
  EXPECT_EQ(answered.error().code, ErrorCode::io);
  EXPECT_EQ(bench_.acts.back(), "round stage1 0");
}

TEST_F(Questions, ACancelledJobEndsBeforeItsNextAct) {
  for (const size_t acts : {0u, 2u, 4u, 10u}) {
    bench_.acts.clear();
    cancel_after_ = acts;
    const auto answered = ask(campaign::Question::compare);
    ASSERT_FALSE(answered);
    EXPECT_EQ(answered.error().code, ErrorCode::interrupted);
    EXPECT_EQ(bench_.acts.size(), acts);
  }
}

TEST_F(Questions, WhatTheBenchReportsAsAnErrorIsNoVerdict) {
  for (const char* act :
       {"build candidate", "verify candidate 0+5", "round stage1 3", "floors", "verify candidate 5+15"}) {
    bench_.errors = {{act, Error{ErrorCode::environment, "no compiler"}}};
    const auto answered = ask(campaign::Question::compare);
    ASSERT_FALSE(answered) << act;
    EXPECT_EQ(answered.error().code, ErrorCode::environment);
  }
}

TEST_F(Questions, AComparisonNeedsAnIncumbent) {
  job_.incumbent.reset();
  for (const auto question : {campaign::Question::compare, campaign::Question::screen, campaign::Question::estimate})
    EXPECT_FALSE(ask(question)) << name_of(question);
  EXPECT_TRUE(bench_.acts.empty());
}

// ---- compare: outcomes
// ------------------------------------------------------------------------------------------------------------------

TEST_F(Questions, EqualKernelsAreNotFasterByFutility) {
  bench_.gain = [](const RoundRequest&) { return 0.0; };
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::not_faster);
  EXPECT_EQ(verdict.reason, "futility");
  EXPECT_EQ(bench_.count("round stage1"), 12u);
  EXPECT_EQ(bench_.count("round confirmation"), 0u);
  EXPECT_EQ(bench_.count("verify candidate 5+15"), 0u);
}

TEST_F(Questions, AGainThatDoesNotComeBackIsNotConfirmed) {
  bench_.gain = [](const RoundRequest& request) { return request.stage == "stage1" ? 0.05 : 0.0; };
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::inconclusive);
  EXPECT_EQ(verdict.reason, "not_confirmed");
}

TEST_F(Questions, TheLevelFollowsTheNumberOfTheComparison) {
  job_.k = 12;
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.comparison->k, 12u);
  EXPECT_DOUBLE_EQ(verdict.comparison->alpha, 5.0 / (12 * 13));
  EXPECT_DOUBLE_EQ(verdict.comparison->minimum_gain, std::log1p(0.01));
}

TEST_F(Questions, TheLevelIsNamedEvenWhenNoRoundWasTaken) {
  bench_.failures = {{"verify candidate 0+5", failure_with(Outcome::incorrect_numerical)}};
  const campaign::Verdict verdict = compare();
  EXPECT_DOUBLE_EQ(verdict.comparison->alpha, 0.05);
  EXPECT_DOUBLE_EQ(verdict.comparison->minimum_gain, std::log1p(0.01));
  EXPECT_FALSE(verdict.comparison->gain);
}

TEST_F(Questions, QuadsLostByOrderAreInconclusive) {
  bench_.alter = [](RoundRecord& record) { record.cases[0].discarded_candidate_first = 6; };
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::inconclusive);
  EXPECT_EQ(verdict.reason, "unequal_discards");
  EXPECT_EQ(verdict.comparison->discarded_quads, 72u);
}

TEST_F(Questions, ARoundWithoutSenseIsMalformed) {
  bench_.alter = [](RoundRecord& record) { record.cases[0].times_ns[0][1] = -1; };
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::inconclusive);
  EXPECT_EQ(verdict.reason, "malformed");
}

TEST_F(Questions, AGainBeyondThreeTimesIsExaminedBeforeItsConfirmation) {
  bench_.gain = [](const RoundRequest&) { return std::log(4.0); };
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::faster);
  EXPECT_EQ(position("scrutinise candidate"), position("verify candidate 5+15") + 1);
  EXPECT_LT(position("scrutinise candidate"), position("round confirmation 0"));
  EXPECT_EQ(bench_.count("scrutinise"), 1u);
  EXPECT_TRUE(has_note(verdict, "scrutiny"));
}

TEST_F(Questions, AGainBelowThreeTimesIsNotExamined) {
  bench_.gain = [](const RoundRequest&) { return std::log(2.9); };
  compare();
  EXPECT_EQ(bench_.count("scrutinise"), 0u);
}

TEST_F(Questions, WhatScrutinyFindsFailsTheCandidate) {
  bench_.gain = [](const RoundRequest&) { return std::log(4.0); };
  bench_.failures = {{"scrutinise candidate", failure_with(Outcome::incorrect_numerical)}};
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::incorrect_numerical);
  EXPECT_EQ(bench_.count("round confirmation"), 0u);
  EXPECT_TRUE(verdict.candidate_times.empty());
}

TEST_F(Questions, ALargeLossIsMeasuredTwice) {
  bench_.gain = [](const RoundRequest&) { return -0.5; };
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::not_faster);
  EXPECT_EQ(bench_.count("round repetition"), 12u);
  EXPECT_TRUE(has_note(verdict, "came back"));
}

TEST_F(Questions, ALargeLossThatDoesNotComeBackIsUnstable) {
  bench_.gain = [](const RoundRequest& request) { return request.stage == "repetition" ? 0.0 : -0.5; };
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::inconclusive);
  EXPECT_EQ(verdict.reason, "unstable");
}

TEST_F(Questions, ASmallLossIsNotRepeated) {
  bench_.gain = [](const RoundRequest&) { return -0.2; };
  compare();
  EXPECT_EQ(bench_.count("round repetition"), 0u);
}

TEST_F(Questions, ALargeGainOfAnotherSizeIsUnstable) {
  bench_.gain = [](const RoundRequest& request) { return request.stage == "stage1" ? 1.0 : 0.3; };
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::inconclusive);
  EXPECT_EQ(verdict.reason, "unstable");
}

// ---- compare: the judge's own clock
// --------------------------------------------------------------------------------------------------------

TEST_F(Questions, AGainThatTheJudgesOwnClockSeesTooIsNoted) {
  bench_.window_gain = 0.05;
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::faster);
  EXPECT_EQ(bench_.acts.back(), "windows");
  EXPECT_TRUE(has_note(verdict, "by the judge's own clock, over windows of many launches: 1.05"));
  EXPECT_TRUE(has_note(verdict, "24 timed launches of windows were checked whole"));
}

TEST_F(Questions, AGainByTheDevicesClockAloneIsSuspect) {
  for (const double seen : {0.0, 0.02, -0.01}) {
    bench_.window_gain = seen;
    const campaign::Verdict verdict = compare();
    EXPECT_EQ(verdict.outcome, Outcome::suspect) << seen;
    EXPECT_EQ(verdict.reason, "clock");
    EXPECT_THAT(verdict.message, HasSubstr("a gain that the judge's own does not"));
    EXPECT_TRUE(verdict.candidate_times.empty());
  }
}

TEST_F(Questions, NoWindowsAreAskedForWithoutAGain) {
  bench_.window_gain = 0.0;
  bench_.gain = [](const RoundRequest&) { return 0.0; };
  EXPECT_EQ(compare().outcome, Outcome::not_faster);
  EXPECT_EQ(bench_.count("windows"), 0u);
}

TEST_F(Questions, WhatGoesWrongInWindowsIsTheVerdict) {
  bench_.window_gain = 0.05;
  bench_.failures = {{"windows", failure_with(Outcome::incorrect_numerical)}};
  EXPECT_EQ(compare().outcome, Outcome::incorrect_numerical);
}

// ---- compare: the device's checker
// ------------------------------------------------------------------------------------------------------

campaign::Sanitizing a_record() {
  campaign::Sanitizing record;
  record.checks.push_back({"memcheck", "finished", 3, 3, 1.5, "", {}});
  record.checks.push_back({"racecheck", "timed out", 1, 3, 40.0, "its time was over", {}});
  return record;
}

TEST_F(Questions, WhatIsFasterIsShownToTheDevicesCheckerLast) {
  bench_.window_gain = 0.05;
  bench_.sanitizer = a_record();
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::faster) << "a tool that did not come to its end is no word against anybody";
  EXPECT_EQ(bench_.acts.back(), "sanitize");
  ASSERT_TRUE(verdict.sanitizer);
  EXPECT_EQ(verdict.sanitizer->checks.size(), 2u);
  EXPECT_TRUE(has_note(verdict, "memcheck over 3 launch shapes in 1.5 s, racecheck timed out (1 of 3 launch shapes)"));
}

TEST_F(Questions, WhatTheCheckerFindsIsTheVerdict) {
  bench_.sanitizer = a_record();
  bench_.failures = {{"sanitize", failure_with(Outcome::violation)}};
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::violation);
  EXPECT_TRUE(verdict.candidate_times.empty());
  EXPECT_FALSE(verdict.comparison->speedup);
  EXPECT_TRUE(verdict.sanitizer) << "and what it saw is kept";
}

TEST_F(Questions, NothingElseIsShownToTheChecker) {
  bench_.sanitizer = a_record();
  bench_.gain = [](const RoundRequest&) { return 0.0; };
  EXPECT_FALSE(compare().sanitizer);
  bench_.gain = [](const RoundRequest&) { return 0.05; };
  EXPECT_FALSE(verdict(campaign::Question::estimate).sanitizer) << "it was, when it was promoted";
  EXPECT_FALSE(verdict(campaign::Question::verify).sanitizer);
  EXPECT_EQ(bench_.count("sanitize"), 0u);
}

TEST_F(Questions, WithoutACheckerThereIsNoRecord) { EXPECT_FALSE(compare().sanitizer); }

// ---- compare: floors
// --------------------------------------------------------------------------------------------------------------------

TEST_F(Questions, ATimeBelowItsFloorIsSuspectAfterTheCeilingWasMeasuredAgain) {
  bench_.floor_s = bench_.floor_again_s = 2e-3;  // the candidate takes 0.95 ms
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::suspect);
  EXPECT_EQ(verdict.reason, "below the floor");
  EXPECT_EQ(bench_.acts.back(), "floors again");
  EXPECT_THAT(verdict.message, HasSubstr("0.4"));
}

TEST_F(Questions, ASuspectRunCarriesNoTimeAndNoSpeedup) {
  bench_.floor_s = bench_.floor_again_s = 2e-3;
  const campaign::Verdict verdict = compare();
  EXPECT_TRUE(verdict.candidate_times.empty());
  EXPECT_FALSE(verdict.comparison->gain);
  EXPECT_FALSE(verdict.comparison->speedup);
  EXPECT_FALSE(verdict.comparison->speedup_interval);
  EXPECT_FALSE(verdict.comparison->headline_speedup);
  EXPECT_FALSE(verdict.incumbent_times.empty());
}

TEST_F(Questions, AFloorThatWasTooHighIsForgiven) {
  bench_.floor_s = 2e-3;
  bench_.floor_again_s = 0.5e-3;
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::faster);
  EXPECT_TRUE(has_note(verdict, "measured again"));
  EXPECT_EQ(*verdict.candidate_times[0].floor_s, 0.5e-3);
}

TEST_F(Questions, AFloorWithinFivePerCentIsNoAlarm) {
  bench_.floor_s = bench_.floor_again_s = 0.98e-3;
  EXPECT_EQ(compare().outcome, Outcome::faster);
  EXPECT_EQ(bench_.count("floors again"), 0u);
}

TEST_F(Questions, ALoserIsNotHeldAgainstTheFloor) {
  bench_.gain = [](const RoundRequest&) { return 0.0; };
  bench_.floor_s = bench_.floor_again_s = 2e-3;
  EXPECT_EQ(compare().outcome, Outcome::not_faster);
  EXPECT_EQ(bench_.count("floors again"), 0u);
}

// ---- compare: failures
// ------------------------------------------------------------------------------------------------------------------

struct FailureRow {
  const char* act;
  Outcome outcome;
};

class CandidateFailures : public Questions, public testing::WithParamInterface<FailureRow> {};

TEST_P(CandidateFailures, EndTheComparisonAtOnceWithoutATime) {
  bench_.failures = {{GetParam().act, failure_with(GetParam().outcome)}};
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, GetParam().outcome);
  EXPECT_EQ(verdict.reason, "planted");
  EXPECT_EQ(verdict.message, "a planted failure");
  EXPECT_EQ(verdict.details, "its output");
  EXPECT_EQ(bench_.acts.back(), GetParam().act);
  EXPECT_TRUE(verdict.candidate_times.empty());
  EXPECT_FALSE(verdict.comparison->gain);
}

INSTANTIATE_TEST_SUITE_P(Rows, CandidateFailures,
                         testing::Values(FailureRow{"build candidate", Outcome::compile_error},
                                         FailureRow{"build candidate", Outcome::timeout},
                                         FailureRow{"verify candidate 0+5", Outcome::incorrect_numerical},
                                         FailureRow{"verify candidate 0+5", Outcome::launch_error},
                                         FailureRow{"verify candidate 0+5", Outcome::timeout},
                                         FailureRow{"round stage1 0", Outcome::violation},
                                         FailureRow{"round stage1 7", Outcome::runtime_error},
                                         FailureRow{"verify candidate 5+15", Outcome::incorrect_numerical},
                                         FailureRow{"round confirmation 20", Outcome::out_of_memory},
                                         FailureRow{"verify candidate 0+5", Outcome::invalid_reference}));

TEST_F(Questions, AMismatchIsKept) {
  Failure failure = failure_with(Outcome::incorrect_numerical);
  failure.mismatch = campaign::Mismatch{"large", "normal", "y", 17, "1", "2", 9.5};
  bench_.failures = {{"round stage1 2", failure}};
  const campaign::Verdict verdict = compare();
  ASSERT_TRUE(verdict.correctness->first_mismatch);
  EXPECT_EQ(verdict.correctness->first_mismatch->index, 17u);
}

TEST_F(Questions, AWrongAnswerOfTheIncumbentDemotesIt) {
  bench_.failures = {{"round stage1 2", failure_with(Outcome::incorrect_numerical, ArmName::incumbent)}};
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::incumbent_wrong);
  EXPECT_EQ(verdict.reason, "INCORRECT_NUMERICAL");
  EXPECT_EQ(bench_.acts.back(), "round stage1 2");
}

TEST_F(Questions, AFaultOfTheReferenceIsNobodysButTheTasks) {
  bench_.failures = {{"verify incumbent 0+5", failure_with(Outcome::invalid_reference, ArmName::incumbent)}};
  EXPECT_EQ(compare().outcome, Outcome::invalid_reference);
}

class IncumbentFaults : public Questions, public testing::WithParamInterface<Outcome> {};

TEST_P(IncumbentFaults, ThatDoNotComeBackAloneAreInconclusive) {
  bench_.failures_once = {{"round stage1 4", failure_with(GetParam(), ArmName::incumbent)}};
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::inconclusive);
  EXPECT_EQ(verdict.reason, "incumbent failed once");
  EXPECT_THAT(verdict.message, HasSubstr(std::string(name_of(GetParam()))));
  EXPECT_EQ(bench_.acts.back(), "verify incumbent 0+5");
}

TEST_P(IncumbentFaults, ThatComeBackAloneDemoteIt) {
  bench_.failures_once = {{"round stage1 4", failure_with(GetParam(), ArmName::incumbent)}};
  cancel_after_ = SIZE_MAX;
  // The first trials pass, the second ones do not.
  size_t rounds = 0;
  observer_.round = [&](const RoundRecord&) {
    if (++rounds == 4) bench_.failures = {{"verify incumbent 0+5", failure_with(GetParam(), ArmName::incumbent)}};
    return ok();
  };
  const campaign::Verdict verdict = compare();
  EXPECT_EQ(verdict.outcome, Outcome::incumbent_wrong);
  EXPECT_EQ(verdict.reason, name_of(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Rows, IncumbentFaults,
                         testing::Values(Outcome::timeout, Outcome::out_of_memory, Outcome::runtime_error,
                                         Outcome::launch_error));

TEST_F(Questions, AnIncumbentThatFailsItsTrialsOnceIsTriedOnceMore) {
  bench_.failures_once = {{"verify incumbent 0+5", failure_with(Outcome::timeout, ArmName::incumbent)}};
  EXPECT_EQ(compare().outcome, Outcome::inconclusive);
  EXPECT_EQ(bench_.count("verify incumbent"), 2u);
  EXPECT_EQ(bench_.count("round"), 0u);
}

// ---- compare: going on after an interruption
// ----------------------------------------------------------------------------------------------

TEST_F(Questions, GoingOnFromEarlierRoundsGivesTheSameVerdict) {
  const campaign::Verdict whole = compare();
  const std::vector<RoundRecord> all = heard_;
  for (const size_t kept : {1u, 11u, 12u, 13u, 35u, 36u}) {
    bench_.acts.clear();
    heard_.clear();
    job_.earlier_rounds.assign(all.begin(), all.begin() + static_cast<ptrdiff_t>(kept));
    const campaign::Verdict resumed = compare();
    EXPECT_EQ(resumed.outcome, whole.outcome);
    EXPECT_EQ(resumed.comparison->gain, whole.comparison->gain) << kept;
    EXPECT_EQ(resumed.comparison->looks.size(), whole.comparison->looks.size());
    EXPECT_EQ(heard_.size(), all.size() - kept);
    EXPECT_EQ(bench_.count("verify incumbent 0+5"), 1u);
  }
}

// ---- the other questions
// ------------------------------------------------------------------------------------------------------------------

TEST_F(Questions, VerifyBuildsAndTriesAsOftenAsAsked) {
  job_.trials = 20;
  EXPECT_EQ(verdict(campaign::Question::verify).outcome, Outcome::correct);
  EXPECT_THAT(bench_.acts, ElementsAre("build candidate", "verify candidate 0+20"));
}

TEST_F(Questions, VerifyNeverTriesLessThanFiveTimes) {
  job_.trials = 1;
  verdict(campaign::Question::verify);
  EXPECT_EQ(bench_.acts.back(), "verify candidate 0+5");
}

TEST_F(Questions, MeasureVerifiesFirst) {
  bench_.floor_s = 0.5e-3;
  const campaign::Verdict measured = verdict(campaign::Question::measure);
  EXPECT_EQ(measured.outcome, Outcome::measured);
  EXPECT_THAT(bench_.acts, ElementsAre("build candidate", "verify candidate 0+5", "measure candidate 5.0", "floors"));
  ASSERT_EQ(measured.candidate_times.size(), 1u);
  EXPECT_DOUBLE_EQ(measured.candidate_times[0].p50_s, 2e-3);
  EXPECT_EQ(*measured.candidate_times[0].floor_s, 0.5e-3);
  EXPECT_EQ(measured.correctness->launches_checked_against_oracle, 6u);
}

// They follow from its sizes.
TEST_F(Questions, AHiddenCaseIsTimedWithoutBytesOperationsAndFloor) {
  bench_.timed = {"large", "hidden-1"};
  bench_.floor_s = 0.5e-3;
  task::Case one = task_.cases.back();
  one.id = "hidden-1";
  one.hidden = true;
  task_.cases.push_back(one);
  const campaign::Verdict measured = verdict(campaign::Question::measure);
  ASSERT_EQ(measured.candidate_times.size(), 2u);
  for (const campaign::CaseTimes& times : measured.candidate_times) {
    const bool is_public = times.case_id == "large";
    EXPECT_EQ(times.floor_s.has_value(), is_public);
    EXPECT_EQ(times.bytes.has_value(), is_public);
    EXPECT_EQ(times.flops.has_value(), is_public);
    EXPECT_EQ(times.floor_binding.has_value(), is_public);
  }
  EXPECT_TRUE(has_note(measured, "judged by 1 hidden case too"));
}

TEST_F(Questions, MeasureKeepsToItsTimeLimit) {
  job_.time_limit_s = 1.5;
  verdict(campaign::Question::measure);
  EXPECT_EQ(bench_.acts[2], "measure candidate 1.5");
}

TEST_F(Questions, AMeasurementOfAWrongKernelHasNoTimes) {
  bench_.failures = {{"measure candidate 5.0", failure_with(Outcome::incorrect_numerical)}};
  const campaign::Verdict measured = verdict(campaign::Question::measure);
  EXPECT_EQ(measured.outcome, Outcome::incorrect_numerical);
  EXPECT_TRUE(measured.candidate_times.empty());
}

TEST_F(Questions, AdmitTriesTheKernelAndThenThePanel) {
  const campaign::Verdict admitted = verdict(campaign::Question::admit);
  EXPECT_EQ(admitted.outcome, Outcome::correct);
  EXPECT_THAT(bench_.acts, ElementsAre("build candidate", "verify candidate 0+20", "admit"));
  EXPECT_TRUE(has_note(admitted, "11 impostors rejected in 2 cases"));
  EXPECT_FALSE(has_note(admitted, "reference call takes"));
}

TEST_F(Questions, AdmitWarnsOfASlowReference) {
  bench_.slowest_oracle_seconds = 0.6;
  const campaign::Verdict admitted = verdict(campaign::Question::admit);
  EXPECT_EQ(admitted.outcome, Outcome::correct);
  EXPECT_TRUE(has_note(admitted, "one reference call takes 0.60 s"));
}

TEST_F(Questions, AdmitRefusesAReferenceBeyondTheCasesLimit) {
  bench_.slowest_oracle_seconds = task_.limits.case_seconds + 0.1;
  const campaign::Verdict refused = verdict(campaign::Question::admit);
  EXPECT_EQ(refused.outcome, Outcome::contract_error);
  EXPECT_EQ(refused.reason, "slow reference");
}

TEST_F(Questions, AdmitRefusesWhatTheImpostorsPass) {
  bench_.failures = {{"admit", failure_with(Outcome::contract_error)}};
  EXPECT_EQ(verdict(campaign::Question::admit).outcome, Outcome::contract_error);
}

TEST_F(Questions, AScreenAsksForEveryConfiguration) {
  job_.screened = {job_.candidate, job_.candidate, job_.candidate};
  const campaign::Verdict screened = verdict(campaign::Question::screen);
  EXPECT_EQ(screened.outcome, Outcome::screened);
  EXPECT_THAT(bench_.acts, ElementsAre("build incumbent", "screen", "screen", "screen"));
  ASSERT_EQ(screened.screened.size(), 3u);
  EXPECT_EQ(screened.screened[0].ratio, 0.9);
}

// ---- builds before anything is measured

TEST_F(Questions, BothArmsAreBuiltTogetherBeforeAnythingElse) {
  using Ahead = std::vector<FakeBench::Ahead>;
  for (const auto question : {campaign::Question::compare, campaign::Question::estimate}) {
    bench_ = {};
    verdict(question);
    EXPECT_EQ(bench_.ahead, (Ahead{{{"the incumbent", "the candidate"}, 0}}));
  }
  for (const auto question : {campaign::Question::verify, campaign::Question::measure, campaign::Question::admit}) {
    bench_ = {};
    verdict(question);
    EXPECT_EQ(bench_.ahead, (Ahead{{{"the candidate"}, 0}}));
  }
}

TEST_F(Questions, AllConfigurationsOfAScreenAreBuiltTogether) {
  job_.screened = {job_.candidate, *job_.incumbent, job_.candidate};
  verdict(campaign::Question::screen);
  EXPECT_EQ(bench_.ahead,
            (std::vector<FakeBench::Ahead>{{{"the incumbent", "the candidate", "the incumbent", "the candidate"}, 0}}));
}

// Else a short limit would be spent on builds of what is never asked for.
TEST_F(Questions, AScreenOfLimitedTimeBuildsNoMoreThanItsWorkersDoAtOnce) {
  job_.screened = {job_.candidate, *job_.incumbent, job_.candidate};
  job_.time_limit_s = 1000;
  bench_.workers = 2;
  verdict(campaign::Question::screen);
  EXPECT_EQ(bench_.ahead,
            (std::vector<FakeBench::Ahead>{
                {{"the incumbent"}, 0}, {{"the candidate", "the incumbent"}, 1}, {{"the candidate"}, 3}}));
}

TEST_F(Questions, NothingIsBuiltAheadOnceCancelled) {
  cancel_after_ = 0;
  EXPECT_EQ(ask(campaign::Question::compare).error().code, ErrorCode::interrupted);
  EXPECT_TRUE(bench_.ahead.empty());
}

TEST_F(Questions, TheIncumbentsFailureInAScreenIsNotTheCandidates) {
  job_.screened = {job_.candidate, job_.candidate};
  bench_.failures = {{"screen", failure_with(Outcome::violation, ArmName::incumbent)}};
  const campaign::Verdict screened = verdict(campaign::Question::screen);
  EXPECT_EQ(screened.outcome, Outcome::incumbent_wrong);
  EXPECT_EQ(bench_.count("screen"), 1u);
  EXPECT_TRUE(screened.screened.empty());
}

// ---- the final direct confirmation
// ----------------------------------------------------------------------------------------------------------

class Estimates : public Questions {
 protected:
  campaign::Verdict estimate() { return verdict(campaign::Question::estimate); }
};

TEST_F(Estimates, AreOneConfirmationWithoutAStageOne) {
  const campaign::Verdict estimated = estimate();
  EXPECT_EQ(estimated.outcome, Outcome::faster);
  EXPECT_EQ(bench_.count("round confirmation"), 24u);
  EXPECT_EQ(bench_.count("round stage1"), 0u);
  EXPECT_NEAR(*estimated.comparison->gain, 0.05, 0.005);
  ASSERT_EQ(estimated.comparison->looks.size(), 1u);
  EXPECT_EQ(estimated.comparison->looks[0].alpha, 0.05);
  EXPECT_EQ(estimated.comparison->confirmation_rounds, 24u);
  EXPECT_FALSE(estimated.candidate_times.empty());
}

TEST_F(Estimates, OfAGainBelowDeltaDecideNothing) {
  bench_.gain = [](const RoundRequest&) { return 0.005; };
  const campaign::Verdict estimated = estimate();
  EXPECT_EQ(estimated.outcome, Outcome::inconclusive);
  EXPECT_EQ(estimated.reason, "not_confirmed");
  EXPECT_NEAR(*estimated.comparison->gain, 0.005, 0.003);
}

TEST_F(Estimates, WithASlowTailDecideNothing) {
  bench_.alter = [](RoundRecord& record) {
    // One launch of the candidate in every round takes much longer; trimmed means do not see it.
    CaseSamples& samples = record.cases[0];
    samples.times_ns[0][samples.orders[0] == "ABBA" ? 1 : 0] *= 3;
  };
  const campaign::Verdict estimated = estimate();
  EXPECT_EQ(estimated.outcome, Outcome::inconclusive);
  EXPECT_EQ(estimated.reason, "tail");
}

TEST_F(Estimates, BelowTheFloorAreSuspect) {
  bench_.floor_s = bench_.floor_again_s = 2e-3;
  EXPECT_EQ(estimate().outcome, Outcome::suspect);
}

TEST_F(Estimates, GoOnFromEarlierRounds) {
  const campaign::Verdict whole = estimate();
  job_.earlier_rounds.assign(heard_.begin(), heard_.begin() + 10);
  bench_.acts.clear();
  const campaign::Verdict resumed = estimate();
  EXPECT_EQ(bench_.count("round confirmation"), 14u);
  EXPECT_EQ(resumed.comparison->gain, whole.comparison->gain);
}

// ---- what stands in every verdict
// -----------------------------------------------------------------------------------------------------------

TEST_F(Questions, EveryVerdictNamesWhatItIsAbout) {
  const campaign::Verdict one = compare();
  EXPECT_EQ(one.candidate, to_candidate(job_.candidate).digest.hex());
  EXPECT_EQ(one.incumbent, to_candidate(*job_.incumbent).digest.hex());
  EXPECT_EQ(one.task_digest, task_.digest.hex());
  EXPECT_EQ(one.judge_version, k_judge_version);
  EXPECT_EQ(one.device_name, "fake");
}

TEST_F(Questions, TimedCasesAndWeightsFollowTheContract) {
  EXPECT_THAT(timed_case_ids(task_), ElementsAre("large"));
  EXPECT_THAT(weighting_of(task_).weights, ElementsAre(1.0));
  EXPECT_EQ(weighting_of(task_).objective, stats::Objective::geomean);
  task_.target.objective = task::Objective::total_time;
  EXPECT_EQ(weighting_of(task_).objective, stats::Objective::total_time);
}

}  // namespace
}  // namespace hone::judge
