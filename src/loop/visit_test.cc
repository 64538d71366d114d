// Questions between runs: charged and paid for, answered from the store, apart from what runs decide by, and none the
// worse for an interruption.
#include "loop/visit.h"

#include <gmock/gmock.h>

#include "loop/testing/tape_campaign.h"
#include "record/lock.h"

namespace hone::loop {
namespace {

using campaign::Outcome;
using campaign::Question;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::outcome_of;
using testing::TapeCampaign;

// A campaign whose script has run to its end: v0, v1 and v2.
class Visit : public ::testing::Test {
 protected:
  Visit() {
    const auto report = campaign_.script();
    EXPECT_TRUE(report) << to_text(report.error());
    ended_ = campaign_.state();
    campaign_.executor->asked.clear();
  }
  std::string version(size_t number) const { return ended_.versions.at(number).candidate; }
  Result<Answer> ask(Question question, const std::string& candidate, const std::string& incumbent = "",
                     Reuse reuse = Reuse::stored) {
    VisitRequest request;
    request.campaign_folder = campaign_.folder();
    request.task_folder = campaign_.task_folder();
    request.visitor = {"hone compare A B", reuse};
    request.question = question;
    request.candidate = candidate;
    request.incumbent = incumbent;
    VisitServices services;
    services.disk = campaign_.disk;
    services.clock = &campaign_.clock;
    services.display = &campaign_.display;
    services.executor = campaign_.executor.get();
    services.cancelled = campaign_.cancelled;
    return visit(request, services);
  }
  // Is v0 faster than v2? No run ever asks that.
  Result<Answer> ask_backwards(Reuse reuse = Reuse::stored) {
    return ask(Question::compare, version(0), version(2), reuse);
  }
  // As Ctrl-C after so many rounds.
  void interrupt_after(uint64_t rounds) {
    campaign_.executor->watch = [this, rounds](const judge::JudgingJob& job, const judge::Observer& observer) {
      for (uint64_t i = 0; i < rounds; ++i) {
        const Status kept = observer.round({"stage1", i, -0.5, {}, {}});
        EXPECT_TRUE(kept) << to_text(kept.error());
      }
      jobs_.push_back(job);
      return std::optional(Result<campaign::Verdict>(Error{ErrorCode::interrupted, "interrupted"}));
    };
    EXPECT_EQ(ask_backwards().error().code, ErrorCode::interrupted);
    campaign_.executor->watch = [this](const judge::JudgingJob& job, const auto&) {
      jobs_.push_back(job);
      return std::nullopt;
    };
  }
  // The lines up to and with the n-th event of this type stay.
  void cut_after(const std::string& type, int which = 1) {
    const auto lines = campaign_.log_lines();
    for (size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].find("\"type\":\"" + type + "\"") != std::string::npos && --which == 0)
        return campaign_.keep_events(i + 1);
    }
    FAIL() << "no event " << type;
  }
  void expect_sound() { EXPECT_THAT(testing::faults_of(campaign_.folder(), ""), IsEmpty()); }

  TapeCampaign campaign_;
  campaign::State ended_;
  std::vector<judge::JudgingJob> jobs_;
};

TEST_F(Visit, AComparisonTakesTheNextKAndMovesNothing) {
  const auto answer = ask_backwards();
  ASSERT_TRUE(answer) << to_text(answer.error());
  EXPECT_EQ(answer->source, AnswerSource::judge);
  EXPECT_EQ(answer->verdict.outcome, Outcome::not_faster);
  EXPECT_EQ(answer->verdict.comparison->k, ended_.comparisons + 1);
  const campaign::State now = campaign_.state();
  EXPECT_EQ(now.comparisons, ended_.comparisons + 1);
  EXPECT_TRUE(now.is_visit(now.ledger.back().job));
  EXPECT_EQ(now.answers.size(), ended_.answers.size());
  EXPECT_EQ(now.experiments.size(), ended_.experiments.size());
  EXPECT_EQ(now.dead_ends, ended_.dead_ends);
  EXPECT_EQ(now.incumbent_version, ended_.incumbent_version);
  EXPECT_EQ(now.terminal, ended_.terminal);
  expect_sound();
}

TEST_F(Visit, AFasterCandidateIsNotPromoted) {
  const auto answer = ask(Question::compare, version(2), version(0));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->verdict.outcome, Outcome::faster);
  EXPECT_EQ(campaign_.state().versions.size(), ended_.versions.size());
}

TEST_F(Visit, WhatARunHasAnsweredIsNotAskedAgain) {
  const auto answer = ask(Question::compare, version(1), version(0));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->source, AnswerSource::store);
  EXPECT_EQ(answer->blob, ended_.versions[1].verdict);
  EXPECT_THAT(campaign_.executor->asked, IsEmpty());
  EXPECT_EQ(campaign_.state().sequence, ended_.sequence) << "reading leaves no event";
}

TEST_F(Visit, WhatAVisitorHasAnsweredIsNotAskedAgain) {
  for (const Question question : {Question::verify, Question::measure, Question::compare}) {
    campaign_.executor->asked.clear();
    ASSERT_TRUE(ask(question, version(0), version(2)));
    EXPECT_EQ(ask(question, version(0), version(2))->source, AnswerSource::store);
    EXPECT_LE(campaign_.executor->asked.size(), 1u);
  }
  expect_sound();
}

TEST_F(Visit, AgainTakesANewKAndTheNewestAnswers) {
  const auto again = ask(Question::compare, version(1), version(0), Reuse::anew);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->source, AnswerSource::judge);
  EXPECT_EQ(again->verdict.comparison->k, ended_.comparisons + 1);
  const auto stored = ask(Question::compare, version(1), version(0));
  EXPECT_EQ(stored->verdict.comparison->k, ended_.comparisons + 1);
  EXPECT_EQ(campaign_.executor->times_asked(Question::compare), 1u);
  const campaign::State now = campaign_.state();
  for (const auto& [key, judged] : ended_.answers) EXPECT_EQ(now.answers.at(key).job, judged.job);
  EXPECT_EQ(now.judgements.size(), ended_.judgements.size()) << "no figure of a run moves";
  expect_sound();
}

TEST_F(Visit, ARunNeverTakesItForItsOwnAnswer) {
  const std::string offered = version(1);
  cut_after("candidate_offered");
  ASSERT_NE(campaign_.state().open_experiment(), nullptr);
  campaign_.executor->watch = [](const judge::JudgingJob& job, const auto&) {
    campaign::Verdict verdict;
    verdict.question = job.question;
    verdict.candidate = judge::to_candidate(job.candidate).digest.hex();
    verdict.incumbent = judge::to_candidate(*job.incumbent).digest.hex();
    verdict.outcome = Outcome::not_faster;
    return std::optional(Result<campaign::Verdict>(verdict));
  };
  ASSERT_TRUE(ask(Question::compare, offered, version(0)));
  EXPECT_FALSE(campaign_.state().open_experiment()->compared.has_value());
  campaign_.executor->watch = [](const auto&, const auto&) { return std::nullopt; };
  ASSERT_TRUE(campaign_.script());
  const campaign::State now = campaign_.state();
  EXPECT_EQ(now.versions.at(1).candidate, offered) << "its own comparison decides, not what a visitor heard";
  EXPECT_EQ(testing::statuses(now), testing::statuses(ended_));
  EXPECT_EQ(now.comparisons, ended_.comparisons + 1);
  expect_sound();
}

// ---- interruptions
// ------------------------------------------------------------------------------------------------------------------

TEST_F(Visit, ARunsOpenComparisonIsFinishedFirst) {
  const std::string expected = outcome_of(ended_);
  cut_after("round_measured", 5);
  const auto answer = ask_backwards();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::usage);
  EXPECT_THAT(answer.error().what, HasSubstr("k = 1 was interrupted after 5 rounds"));
  EXPECT_THAT(answer.error().help, HasSubstr("hone resume"));
  const auto verified = ask(Question::verify, version(0));
  ASSERT_TRUE(verified) << "what needs no k may be asked";
  EXPECT_EQ(campaign_.state().open_comparison->rounds.size(), 5u);
  ASSERT_TRUE(campaign_.script());
  EXPECT_EQ(outcome_of(campaign_.state()), expected);
}

TEST_F(Visit, InterruptedItGoesOnWhenTheSameIsAsked) {
  interrupt_after(3);
  EXPECT_EQ(campaign_.state().open_comparison->rounds.size(), 3u);
  EXPECT_THAT(testing::view_faults(campaign_.folder(), campaign_.state()), IsEmpty());
  const auto answer = ask_backwards();
  ASSERT_TRUE(answer) << to_text(answer.error());
  EXPECT_EQ(jobs_.back().earlier_rounds.size(), 3u);
  EXPECT_EQ(jobs_.back().k, ended_.comparisons + 1);
  EXPECT_EQ(jobs_.back().id, jobs_.front().id);
  EXPECT_EQ(campaign_.state().comparisons, ended_.comparisons + 1);
  expect_sound();
}

TEST_F(Visit, AnswersFromBeforeDoNotHideTheOneThatIsOpen) {
  ASSERT_TRUE(ask_backwards());
  campaign_.executor->watch = [](const auto&, const auto&) {
    return std::optional(Result<campaign::Verdict>(Error{ErrorCode::interrupted, "interrupted"}));
  };
  ASSERT_FALSE(ask_backwards(Reuse::anew));
  campaign_.executor->watch = [](const auto&, const auto&) { return std::nullopt; };
  EXPECT_EQ(ask_backwards()->verdict.comparison->k, ended_.comparisons + 2);
}

TEST_F(Visit, InterruptedItIsGivenUpForAnother) {
  interrupt_after(3);
  const auto answer = ask(Question::compare, version(0), version(1));
  ASSERT_TRUE(answer) << to_text(answer.error());
  EXPECT_TRUE(jobs_.back().earlier_rounds.empty());
  EXPECT_EQ(answer->verdict.comparison->k, ended_.comparisons + 2) << "the first stays charged";
  expect_sound();
}

TEST_F(Visit, InterruptedItIsGivenUpByARun) {
  interrupt_after(3);
  const auto report = campaign_.script();
  ASSERT_TRUE(report) << to_text(report.error());
  EXPECT_FALSE(campaign_.state().open_comparison.has_value());
  EXPECT_EQ(campaign_.state().comparisons, ended_.comparisons + 1);
  expect_sound();
}

TEST_F(Visit, ALogCutAnywhereEndsAsIfNothingHadHappened) {
  ASSERT_TRUE(ask_backwards());
  const std::string expected = outcome_of(campaign_.state());
  const size_t whole = campaign_.log_lines().size();
  TapeCampaign kept;
  campaign_.copy_to(kept);
  for (size_t lines = ended_.sequence; lines < whole; lines += lines < ended_.sequence + 5 ? 1 : 3) {
    fs::remove_all(campaign_.folder());
    kept.copy_to(campaign_);
    campaign_.keep_events(lines);
    const auto answer = ask_backwards();
    ASSERT_TRUE(answer) << to_text(answer.error());
    ASSERT_EQ(outcome_of(campaign_.state()), expected) << "cut after " << lines;
    ASSERT_THAT(testing::view_faults(campaign_.folder(), campaign_.state()), IsEmpty());
  }
}

// ---- pins and locks
// -----------------------------------------------------------------------------------------------------------------

TEST_F(Visit, AnotherDeviceStops) {
  campaign_.executor->uuid = "another one of the same kind";
  const auto answer = ask(Question::compare, version(1), version(0));
  ASSERT_FALSE(answer) << "not even the store's answer is about this device";
  EXPECT_EQ(exit_code(answer.error().code), 3);
  EXPECT_THAT(answer.error().help, HasSubstr("--rebaseline"));
  EXPECT_EQ(campaign_.state().sequence, ended_.sequence);
}

TEST_F(Visit, AnEditedContractStops) {
  TapeCampaign::write(campaign_.task_folder() / "task.toml",
                      task::replaced(std::string(task::k_scale_toml), "a = 1.5", "a = 2.5"));
  const auto answer = ask_backwards();
  ASSERT_FALSE(answer);
  EXPECT_EQ(exit_code(answer.error().code), 3);
  EXPECT_THAT(answer.error().what, HasSubstr("edited"));
}

TEST_F(Visit, ASecondHoneIsToldWhoHoldsTheCampaign) {
  const auto held = Store::open(campaign_.own_disk, campaign_.clock, campaign_.folder(), "hone run elsewhere");
  ASSERT_TRUE(held);
  const auto answer = ask_backwards();
  ASSERT_FALSE(answer);
  EXPECT_EQ(exit_code(answer.error().code), 3);
  EXPECT_THAT(to_text(answer.error()), HasSubstr("hone run elsewhere"));
}

TEST_F(Visit, NothingIsAskedBeforeTheBaseline) {
  cut_after("judged");
  const auto answer = ask_backwards();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::usage);
  EXPECT_THAT(answer.error().what, HasSubstr("no baseline yet"));
}

}  // namespace
}  // namespace hone::loop
