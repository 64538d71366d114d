// Whole runs on a tape: what a session does, in which order, and what it leaves in the log.
#include <gmock/gmock.h>

#include "loop/testing/tape_campaign.h"

namespace hone::loop {
namespace {

using campaign::ExperimentStatus;
using campaign::Outcome;
using campaign::Question;
using campaign::StopStatus;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::outcome_of;
using testing::statuses;
using testing::TapeCampaign;
using testing::WatchedExecutor;

class Session : public ::testing::Test {
 protected:
  RunReport must(Result<RunReport> report) {
    EXPECT_TRUE(report) << to_text(report.error());
    return report ? *report : RunReport{};
  }
  TapeCampaign campaign_;
};

TEST_F(Session, AScriptIsJudgedLineByLine) {
  const RunReport report = must(campaign_.script());
  EXPECT_TRUE(report.improved);
  EXPECT_EQ(report.version, 2u);
  const campaign::State state = campaign_.state();
  EXPECT_THAT(statuses(state), ElementsAre("IMPROVED", "FAILED", "FAILED", "REGRESSED", "IMPROVED"));
  EXPECT_EQ(state.terminal, StopStatus::max_iterations) << "five is the default";
  EXPECT_TRUE(state.reserved.empty());
  ASSERT_EQ(state.versions.size(), 3u);
  EXPECT_EQ(state.versions[2].parent, state.versions[1].commit);
}

TEST_F(Session, TheTunerFindsTheBestAndStops) {
  campaign_.request.iterations = IterationLimit{IterationLimit::Kind::unlimited, 0};
  const RunReport report = must(campaign_.tune());
  EXPECT_TRUE(report.improved);
  const campaign::State state = campaign_.state();
  const auto& best = state.candidates.at(state.incumbent()->candidate);
  EXPECT_EQ(best.values.at("ITEMS"), "8");
  EXPECT_THAT(best.options, ElementsAre("O3"));
  EXPECT_THAT((std::set<StopStatus>{StopStatus::exhausted, StopStatus::plateau}), ::testing::Contains(*state.terminal));
}

TEST_F(Session, NothingIsOfferedTwice) {
  campaign_.request.iterations = IterationLimit{IterationLimit::Kind::unlimited, 0};
  must(campaign_.tune());
  std::set<std::string> offered;
  for (const campaign::Experiment& one : campaign_.state().experiments) {
    const bool is_new = !one.candidate || offered.insert(*one.candidate).second;
    EXPECT_TRUE(is_new) << one.started.group;
  }
}

TEST_F(Session, TheSameTapeGivesTheSameCampaign) {
  TapeCampaign other;
  must(campaign_.tune());
  must(other.tune());
  EXPECT_EQ(outcome_of(campaign_.state()), outcome_of(other.state()));
}

TEST_F(Session, ABaselineIsAdmittedBeforeAnythingElse) {
  must(campaign_.script());
  EXPECT_EQ(campaign_.executor->asked.front(), Question::admit);
  EXPECT_EQ(campaign_.executor->asked[1], Question::measure);
}

TEST_F(Session, AContractThatAcceptsImpostorsStops) {
  campaign_.executor->watch = [](const judge::JudgingJob& job,
                                 const auto&) -> std::optional<Result<campaign::Verdict>> {
    if (job.question != Question::admit) return std::nullopt;
    campaign::Verdict verdict;
    verdict.question = Question::admit;
    verdict.outcome = Outcome::contract_error;
    verdict.message = "zeros pass";
    verdict.candidate = judge::to_candidate(job.candidate).digest.hex();
    return verdict;
  };
  const auto report = campaign_.script();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::contract);
  EXPECT_THAT(report.error().what, HasSubstr("zeros pass"));
  EXPECT_TRUE(campaign_.state().versions.empty());
}

// ---- a wrong baseline
// ------------------------------------------------------------------------------------------------------------

constexpr std::string_view k_wrong_baseline =
    R"({"device":"tape CPU"}
{"candidate":"*","verify":"INCORRECT_NUMERICAL","times_ns":[[8000]]}
{"values":{"ITEMS":"8"},"verify":"CORRECT","times_ns":[[6000]],"noise":0.004}
{"values":{"ITEMS":"8"},"options":["O3"],"times_ns":[[4000]],"noise":0.004}
)";

TEST_F(Session, AWrongBaselineStopsBeforeTheFirstExperiment) {
  campaign_.write_tape(k_wrong_baseline);
  const auto report = campaign_.script();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::refused);
  EXPECT_EQ(exit_code(report.error().code), 1);
  EXPECT_THAT(report.error().what, HasSubstr("INCORRECT_NUMERICAL"));
  EXPECT_TRUE(campaign_.state().versions.empty());
  EXPECT_TRUE(campaign_.state().experiments.empty());
}

TEST_F(Session, AWrongBaselineSaysWhereItDiffersFirst) {
  campaign_.executor->watch = [](const judge::JudgingJob& job,
                                 const auto&) -> std::optional<Result<campaign::Verdict>> {
    campaign::Verdict verdict;
    verdict.outcome = Outcome::incorrect_numerical;
    verdict.candidate = judge::to_candidate(job.candidate).digest.hex();
    verdict.correctness.emplace().first_mismatch = campaign::Mismatch{"odd", "normal", "y", 17, "0.5", "0.25", {}};
    return verdict;
  };
  const auto report = campaign_.script();
  ASSERT_FALSE(report);
  EXPECT_THAT(to_text(report.error()), HasSubstr("case 'odd', y[17] in 'normal': expected 0.5, found 0.25"));
}

TEST_F(Session, ARepairIsTheOnlyFirstChange) {
  campaign_.write_tape(k_wrong_baseline);
  campaign_.write_script(
      "{\"tier\":2,\"change\":\"repair\",\"values\":{\"ITEMS\":\"8\"}}\n"
      "{\"tier\":3,\"change\":\"O3\",\"options\":[\"O3\"]}\n");
  campaign_.request.on_wrong_baseline = OnWrongBaseline::repair;
  const RunReport report = must(campaign_.script());
  EXPECT_EQ(report.version, 1u);
  const campaign::State state = campaign_.state();
  EXPECT_EQ(state.candidates.at(state.versions[0].candidate).values.at("ITEMS"), "8");
  EXPECT_THAT(statuses(state), ElementsAre("IMPROVED")) << "the script's second line is its first experiment";
}

TEST_F(Session, ARepairThatIsWrongTooStops) {
  campaign_.write_tape(k_wrong_baseline);
  campaign_.write_script("{\"tier\":1,\"change\":\"no repair\",\"values\":{\"BLOCK\":\"64\"}}\n");
  campaign_.request.on_wrong_baseline = OnWrongBaseline::repair;
  const auto report = campaign_.script();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::refused);
  EXPECT_TRUE(campaign_.state().versions.empty());
}

// ---- iterations
// ------------------------------------------------------------------------------------------------------------------

TEST_F(Session, EveryRunCountsItsOwnIterations) {
  campaign_.request.iterations = IterationLimit{IterationLimit::Kind::in_all, 2};
  must(campaign_.script());
  EXPECT_EQ(campaign_.state().experiments.size(), 2u);
  EXPECT_EQ(campaign_.state().terminal, StopStatus::max_iterations);
  must(campaign_.script());
  EXPECT_EQ(campaign_.state().experiments.size(), 4u) << "two more, from the script's third line";
  EXPECT_EQ(campaign_.state().experiments[2].started.group, "two");
}

TEST_F(Session, AnInterruptedRunGoesOnWithItsOwnLimit) {
  campaign_.request.iterations = IterationLimit{IterationLimit::Kind::in_all, 3};
  int comparisons = 0;
  campaign_.executor->watch = [&](const judge::JudgingJob& job,
                                  const auto&) -> std::optional<Result<campaign::Verdict>> {
    if (job.question != Question::verify || ++comparisons < 2) return std::nullopt;
    return Result<campaign::Verdict>(Error{ErrorCode::interrupted, "Ctrl-C"});
  };
  const auto interrupted = campaign_.script();
  ASSERT_FALSE(interrupted);
  EXPECT_EQ(interrupted.error().code, ErrorCode::interrupted);
  EXPECT_THAT(interrupted.error().help, HasSubstr("hone resume"));
  EXPECT_EQ(campaign_.state().terminal, StopStatus::interrupted);
  campaign_.write_tape(testing::k_tape);
  campaign_.request.iterations.reset();
  must(campaign_.script());
  EXPECT_EQ(campaign_.state().experiments.size(), 3u);
  EXPECT_EQ(campaign_.state().session->iteration_limit, 3u);
}

TEST_F(Session, AnInterruptedRunGoesOnWithItsOwnTarget) {
  for (const bool given : {true, false}) {
    TapeCampaign campaign;
    campaign.request.target_choice = given ? TargetChoice::contract_or_derived : TargetChoice::none;
    if (given) campaign.request.target_seconds = 1e-9;
    campaign.cancelled = [&] { return campaign.executor->times_asked(Question::compare) >= 1; };
    std::ignore = campaign.script();
    ASSERT_EQ(campaign.state().terminal, StopStatus::interrupted);
    campaign.cancelled = [] { return false; };
    campaign.request.target_choice = TargetChoice::contract_or_derived;
    campaign.request.target_seconds.reset();
    must(campaign.script());
    EXPECT_EQ(campaign.state().target->origin, given ? "command line" : "none");
  }
}

TEST_F(Session, MoreIterationsComeOnTopOfAnInterruptedRun) {
  campaign_.request.iterations = IterationLimit{IterationLimit::Kind::in_all, 5};
  campaign_.cancelled = [&] { return campaign_.executor->times_asked(Question::compare) >= 2; };
  std::ignore = campaign_.script();
  const size_t done = iterations(campaign_.state());
  campaign_.cancelled = [] { return false; };
  campaign_.request.iterations = IterationLimit{IterationLimit::Kind::more, 1};
  must(campaign_.script());
  EXPECT_EQ(campaign_.state().session->iteration_limit, done + 1);
}

TEST_F(Session, AnEditIsJudgedAfterAFinishedRun) {
  campaign_.request.target_seconds = 1.0;  // met by v0
  must(campaign_.tune());
  ASSERT_EQ(campaign_.state().terminal, StopStatus::target_met);
  ASSERT_TRUE(campaign_.state().experiments.empty());
  TapeCampaign::write(campaign_.task_folder() / "variant.toml", "schema = \"variant/1\"\n\n[values]\nITEMS = 8\n");
  must(campaign_.manual());
  EXPECT_THAT(statuses(campaign_.state()), ElementsAre("TARGET_MET"));
  EXPECT_EQ(campaign_.state().terminal, StopStatus::target_met);
  must(campaign_.manual());
  EXPECT_EQ(campaign_.state().experiments.size(), 1u) << "the same edit is not judged twice";
}

TEST_F(Session, APlanOfAnotherProposerIsGivenUp) {
  campaign_.executor->watch = [](const judge::JudgingJob& job,
                                 const auto&) -> std::optional<Result<campaign::Verdict>> {
    if (job.question != Question::screen) return std::nullopt;
    return Result<campaign::Verdict>(Error{ErrorCode::interrupted, "Ctrl-C"});
  };
  ASSERT_FALSE(campaign_.tune());
  ASSERT_NE(campaign_.state().open_experiment(), nullptr);
  campaign_.write_tape(testing::k_tape);
  must(campaign_.script());
  EXPECT_EQ(campaign_.state().experiments[0].decided->reason, "given up: another proposer goes on");
  EXPECT_EQ(campaign_.state().experiments[1].started.group, "items") << "the script begins at its first line";
}

// ---- targets
// ---------------------------------------------------------------------------------------------------------------------

TEST_F(Session, APersonIsAskedForATargetOnce) {
  campaign_.display.target = TargetAnswer{5e-6};
  must(campaign_.script());
  EXPECT_EQ(campaign_.display.asked, 1);
  EXPECT_EQ(campaign_.state().target->origin, "asked");
  EXPECT_EQ(campaign_.state().terminal, StopStatus::target_met);
  must(campaign_.script());
  EXPECT_EQ(campaign_.display.asked, 1);
  EXPECT_EQ(campaign_.state().session->target_s, 5e-6) << "the answer stands";
}

TEST_F(Session, NobodyIsAskedWhenATargetIsGivenOrUnwanted) {
  campaign_.request.target_seconds = 5e-6;
  must(campaign_.script());
  EXPECT_EQ(campaign_.display.asked, 0);
  EXPECT_EQ(campaign_.state().target->origin, "command line");
  TapeCampaign other;
  other.request.target_choice = TargetChoice::none;
  must(other.script());
  EXPECT_EQ(other.display.asked, 0);
  EXPECT_EQ(other.state().target->origin, "none");
}

// ---- answers are kept
// ------------------------------------------------------------------------------------------------------------

TEST_F(Session, AskingAgainIsAnsweredByTheStore) {
  // The same change proposed twice, as two lines of a script: inconclusive the first time, and no luck to be had the
  // second.
  campaign_.write_tape(std::string(testing::k_device_line) +
                       "{\"candidate\":\"*\",\"times_ns\":[[8000]],\"noise\":0.03}\n"
                       "{\"values\":{\"BLOCK\":\"64\"},\"times_ns\":[[7940]],\"noise\":0.03}\n");
  campaign_.write_script(
      "{\"tier\":1,\"group\":\"a\",\"change\":\"x\",\"values\":{\"BLOCK\":\"64\"}}\n"
      "{\"tier\":1,\"group\":\"b\",\"change\":\"x\",\"values\":{\"BLOCK\":\"64\"}}\n");
  must(campaign_.script());
  const campaign::State state = campaign_.state();
  EXPECT_EQ(state.experiments.size(), 2u);
  EXPECT_EQ(state.experiments[0].decided->outcome, state.experiments[1].decided->outcome);
  EXPECT_EQ(state.comparisons, 1u) << "and nothing is charged";
  EXPECT_EQ(campaign_.executor->times_asked(Question::compare), 1u);
}

TEST_F(Session, AnInconclusiveAnswerIsAnAnswer) {
  campaign_.executor->watch = [](const judge::JudgingJob& job,
                                 const auto&) -> std::optional<Result<campaign::Verdict>> {
    if (job.question != Question::compare) return std::nullopt;
    campaign::Verdict verdict;
    verdict.question = Question::compare;
    verdict.outcome = Outcome::inconclusive;
    verdict.reason = "not_confirmed";
    verdict.candidate = judge::to_candidate(job.candidate).digest.hex();
    verdict.incumbent = judge::to_candidate(*job.incumbent).digest.hex();
    return verdict;
  };
  campaign_.write_script(
      "{\"tier\":2,\"group\":\"a\",\"change\":\"x\",\"values\":{\"ITEMS\":\"8\"}}\n"
      "{\"tier\":2,\"group\":\"b\",\"change\":\"x\",\"values\":{\"ITEMS\":\"8\"}}\n");
  must(campaign_.script());
  EXPECT_THAT(statuses(campaign_.state()), ElementsAre("NEUTRAL", "NEUTRAL"));
  EXPECT_EQ(campaign_.executor->times_asked(Question::compare), 1u) << "asking again does not buy luck";
  EXPECT_EQ(campaign_.state().comparisons, 1u);
}

// ---- other ends
// ------------------------------------------------------------------------------------------------------

TEST_F(Session, UsedUpLinesAreExhausted) {
  campaign_.write_script("{\"tier\":2,\"change\":\"8\",\"values\":{\"ITEMS\":\"8\"}}\n");
  must(campaign_.script());
  EXPECT_EQ(campaign_.state().terminal, StopStatus::exhausted);
}

TEST_F(Session, TimeIsABudget) {
  campaign_.executor->watch = [this](const auto&, const auto&) {
    campaign_.clock.advance(std::chrono::seconds(3));
    return std::nullopt;
  };
  campaign_.request.time_limit = std::chrono::seconds(20);
  campaign_.request.iterations = IterationLimit{IterationLimit::Kind::unlimited, 0};
  must(campaign_.script());
  EXPECT_EQ(campaign_.state().terminal, StopStatus::budget);
  EXPECT_LT(campaign_.state().experiments.size(), 5u);
  EXPECT_LE(campaign_.state().own_seconds, 0.05 * campaign_.state().wall_seconds)
      << "an executor's time is not the loop's";
}

TEST_F(Session, FiveFailuresAreAPlateau) {
  std::string script;
  for (const char* block : {"64", "128", "256"}) {
    for (const char* option : {"", "\"O3\""})
      script += fmt::format(
          "{{\"tier\":1,\"change\":\"x\",\"values\":{{\"ITEMS\":\"2\",\"BLOCK\":\"{}\"}},\"options\":[{}]}}\n", block,
          option);
  }
  campaign_.write_script(script);
  campaign_.request.iterations = IterationLimit{IterationLimit::Kind::unlimited, 0};
  must(campaign_.script());
  EXPECT_EQ(campaign_.state().terminal, StopStatus::plateau);
  EXPECT_EQ(campaign_.state().experiments.size(), 5u);
}

// ---- a surprise
// ------------------------------------------------------------------------------------------------------------------

// One screen in which the candidate takes `factor` times as long; every other one is the tape's.
testing::WatchedExecutor::Watch slow_screen(int& screens, int which, double factor) {
  return
      [&screens, which, factor](const judge::JudgingJob& job, const auto&) -> std::optional<Result<campaign::Verdict>> {
        if (job.question != Question::screen || ++screens != which) return std::nullopt;
        campaign::Verdict verdict;
        verdict.question = Question::screen;
        verdict.outcome = Outcome::screened;
        verdict.screened.push_back({judge::to_candidate(job.candidate).digest.hex(), "slower", factor, ""});
        return verdict;
      };
}

constexpr std::string_view k_one_line =
    "{\"tier\":2,\"group\":\"items\",\"change\":\"eight items\",\"values\":{\"ITEMS\":\"8\"}}\n";

TEST_F(Session, ALossThatDoesNotComeBackIsUnstable) {
  int screens = 0;
  campaign_.executor->watch = slow_screen(screens, 1, 1.6);
  campaign_.write_script(k_one_line);
  must(campaign_.script());
  const campaign::State state = campaign_.state();
  EXPECT_THAT(statuses(state), ElementsAre("unstable"));
  EXPECT_EQ(screens, 2);
  EXPECT_FALSE(state.experiments[0].decided->delta.has_value()) << "a number that did not come back is not shown";
  EXPECT_TRUE(state.dead_ends.empty()) << "and closes no direction";
  EXPECT_EQ(state.comparisons, 0u);
}

TEST_F(Session, ALossThatComesBackIsARegression) {
  campaign_.write_tape(std::string(testing::k_device_line) +
                       "{\"candidate\":\"*\",\"times_ns\":[[8000]]}\n"
                       "{\"values\":{\"ITEMS\":\"8\"},\"times_ns\":[[12000]]}\n");
  campaign_.write_script(k_one_line);
  must(campaign_.script());
  const campaign::State state = campaign_.state();
  EXPECT_THAT(statuses(state), ElementsAre("REGRESSED"));
  EXPECT_NEAR(*state.experiments[0].decided->delta, 8.0 / 12.0 - 1.0, 1e-9);
  EXPECT_EQ(campaign_.executor->times_asked(Question::screen), 2u);
  EXPECT_TRUE(state.is_dead_end(state.versions[0].candidate, "items"));
}

TEST_F(Session, ASmallLossIsScreenedOnce) {
  campaign_.write_tape(std::string(testing::k_device_line) +
                       "{\"candidate\":\"*\",\"times_ns\":[[8000]]}\n"
                       "{\"values\":{\"ITEMS\":\"8\"},\"times_ns\":[[9000]]}\n");
  campaign_.write_script(k_one_line);
  must(campaign_.script());
  EXPECT_THAT(statuses(campaign_.state()), ElementsAre("REGRESSED"));
  EXPECT_EQ(campaign_.executor->times_asked(Question::screen), 1u);
}

// ---- a wrong incumbent
// -----------------------------------------------------------------------------------------------------------

campaign::Verdict incumbent_is_wrong(const judge::JudgingJob& job) {
  campaign::Verdict verdict;
  verdict.question = job.question;
  verdict.outcome = Outcome::incumbent_wrong;
  verdict.message = "the incumbent wrote past its output";
  verdict.candidate = judge::to_candidate(job.candidate).digest.hex();
  verdict.incumbent = judge::to_candidate(*job.incumbent).digest.hex();
  return verdict;
}

TEST_F(Session, AWrongIncumbentGoesBackToAVersionThatPassesNow) {
  campaign_.executor->watch = [](const judge::JudgingJob& job,
                                 const auto&) -> std::optional<Result<campaign::Verdict>> {
    if (job.question == Question::compare && job.k == 2) return incumbent_is_wrong(job);
    return std::nullopt;
  };
  const RunReport report = must(campaign_.script());
  const campaign::State state = campaign_.state();
  EXPECT_TRUE(state.versions[1].demoted);
  EXPECT_THAT(statuses(state), ElementsAre("IMPROVED", "FAILED", "FAILED", "REGRESSED", "NEUTRAL"));
  EXPECT_EQ(report.version, 0u);
  size_t verified = 0;
  for (const campaign::Judged& one : state.judgements)
    verified += one.question == Question::verify && one.candidate == state.versions[0].candidate ? 1 : 0;
  EXPECT_EQ(verified, 1u) << "v0 was asked anew, after its admission";
  EXPECT_EQ(campaign_.refs().at("refs/hone/incumbent").hex, state.versions[0].commit) << "git follows a demotion too";
}

TEST_F(Session, WhatWasFoundWrongIsNeverTheIncumbentAgain) {
  campaign_.write_script(
      "{\"tier\":2,\"change\":\"8\",\"values\":{\"ITEMS\":\"8\"}}\n{\"tier\":3,\"change\":\"O3\",\"options\":[\"O3\"]}"
      "\n"
      "{\"tier\":2,\"change\":\"8 again\",\"values\":{\"ITEMS\":\"8\"},\"options\":[]}\n");
  campaign_.executor->watch = [](const judge::JudgingJob& job,
                                 const auto&) -> std::optional<Result<campaign::Verdict>> {
    if (job.question == Question::compare && job.k == 2) return incumbent_is_wrong(job);
    return std::nullopt;
  };
  must(campaign_.script());
  EXPECT_THAT(statuses(campaign_.state()), ElementsAre("IMPROVED", "NEUTRAL", "FAILED"));
  EXPECT_EQ(campaign_.state().incumbent_version, 0u);
}

// Of the first screen beside v1.
WatchedExecutor::Watch first_screen_of_v1_fails(const TapeCampaign& campaign) {
  return [&campaign, once = false](const judge::JudgingJob& job,
                                   const auto&) mutable -> std::optional<Result<campaign::Verdict>> {
    if (once || job.question != Question::screen || campaign.state().incumbent_version != 1) return std::nullopt;
    once = true;
    return incumbent_is_wrong(job);
  };
}

std::vector<campaign::Experiment> that_lost_their_incumbent(const campaign::State& state) {
  std::vector<campaign::Experiment> lost;
  for (const campaign::Experiment& one : state.experiments) {
    if (one.decided && one.decided->outcome == Outcome::incumbent_wrong) lost.push_back(one);
  }
  return lost;
}

TEST_F(Session, AnIncumbentThatFailsInAScreenIsDemotedToo) {
  campaign_.executor->watch = first_screen_of_v1_fails(campaign_);
  must(campaign_.script());
  const campaign::State state = campaign_.state();
  EXPECT_TRUE(state.versions[1].demoted);
  const auto lost = that_lost_their_incumbent(state);
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost.front().decided->status, campaign::ExperimentStatus::neutral);
  EXPECT_TRUE(lost.front().candidate);
}

TEST_F(Session, ASearchWhoseIncumbentFailsClosesNothing) {
  campaign_.executor->watch = first_screen_of_v1_fails(campaign_);
  must(campaign_.tune());
  const campaign::State state = campaign_.state();
  EXPECT_TRUE(state.versions[1].demoted);
  const auto lost = that_lost_their_incumbent(state);
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_FALSE(lost.front().candidate);
  EXPECT_FALSE(state.is_dead_end(lost.front().started.parent, lost.front().started.group));
}

TEST_F(Session, WithoutASoundVersionItStops) {
  bool wrong = false;
  campaign_.executor->watch = [&](const judge::JudgingJob& job,
                                  const auto&) -> std::optional<Result<campaign::Verdict>> {
    if (job.question == Question::compare && job.k == 2) {
      wrong = true;
      return incumbent_is_wrong(job);
    }
    if (!wrong || job.question != Question::verify) return std::nullopt;
    campaign::Verdict verdict;
    verdict.outcome = Outcome::runtime_error;
    verdict.candidate = judge::to_candidate(job.candidate).digest.hex();
    return verdict;
  };
  const auto report = campaign_.script();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::refused);
  EXPECT_THAT(report.error().what, HasSubstr("no older version passes"));
}

}  // namespace
}  // namespace hone::loop
