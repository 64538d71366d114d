// The fold: every rule of a valid history is kept once and broken once, and the State says what the events add up to.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "campaign/testing/history.h"
#include "campaign/testing/sample_events.h"

namespace hone::campaign {
namespace {

using testing::digest_of;
using testing::History;
using testing::sample_pins;

const std::string k_a = digest_of('a');
const std::string k_b = digest_of('b');
const std::string k_unknown = digest_of('f');

CampaignOpened opened() { return {1, "softmax", {}, sample_pins(), ""}; }
CandidateAdded candidate(const std::string& digest) { return {digest, {}, "tune", {}, {}, {}}; }
BaselineSet baseline() { return {k_a, digest_of('3'), "tree0", "commit0", "6:00", 6}; }
ExperimentStarted experiment(uint64_t number, const std::string& parent = k_a) {
  return {number, parent, 1, "g", "", "", "", ""};
}
Decided decided(uint64_t number) { return {number, ExperimentStatus::neutral, Outcome::not_faster, "", {}, {}}; }
ComparisonCharged charged(uint64_t k, const std::string& job = "j1") { return {job, k, 0.05, k_b, k_a}; }
RoundMeasured round_of(const std::string& job) { return {job, "stage1", 0, 0.1, digest_of('8')}; }
Promoted promoted(uint64_t version, const std::string& parent) {
  return {version, 1, k_b, parent, "tree1", "commit" + std::to_string(version), digest_of('9'), "9:00", 9};
}
Judged judged(const std::string& job, const std::string& digest) {
  Judged out;
  out.job = job;
  out.key = job + digest;
  out.candidate = digest;
  out.verdict = digest_of('3');
  return out;
}
Stopped stopped(StopStatus status) { return {status, "", 10, 1}; }

History opened_history() {
  History history;
  history.add(opened());
  return history;
}
History with_candidates() {
  History history = opened_history();
  history.add(candidate(k_a)).add(candidate(k_b));
  return history;
}
History with_baseline() {
  History history = with_candidates();
  history.add(baseline());
  return history;
}
History in_experiment() {
  History history = with_baseline();
  history.add(experiment(1));
  return history;
}
History in_comparison() {
  History history = in_experiment();
  history.add(charged(1));
  return history;
}
History with_promotion() {
  History history = in_experiment();
  history.add(decided(1)).add(promoted(1, "commit0"));
  return history;
}

struct Rule {
  std::string_view name;
  History (*before)();
  EventBody kept;
  EventBody broken;
  std::string_view words;
};

std::vector<Rule> opening_rules() {
  return {
      {"FirstEventOpens", [] { return History(); }, opened(), SessionStarted{}, "must open the campaign"},
      {"FormatIsKnown", [] { return History(); }, opened(), CampaignOpened{2, "softmax", {}, sample_pins(), ""},
       "format 2"},
      {"OpensOnce", opened_history, candidate(k_a), opened(), "opened once"},
      {"CandidateOnce", with_candidates, candidate(digest_of('c')), candidate(k_a), "added before"},
      {"TargetOfASession", opened_history, SessionStarted{}, TargetChosen{0.0004, "contract"}, "belongs to a session"},
      {"JudgedIsKnown", with_candidates, judged("j1", k_a), judged("j1", k_unknown), "never added"},
      {"BaselineIsKnown", with_candidates, baseline(), BaselineSet{k_unknown, "", "", "", "", 0}, "never added"},
      {"BaselineOnce", with_candidates, baseline(), promoted(1, "commit0"), "does not follow"},
      {"NoSecondBaseline", with_baseline, experiment(1), baseline(), "set once"},
      {"ReservedOnce",
       [] {
         History history = opened_history();
         history.add(BudgetReserved{"j1", 2});
         return history;
       },
       BudgetReserved{"j2", 2}, BudgetReserved{"j1", 2}, "reserved once"},
      {"SettledAfterReserved",
       [] {
         History history = opened_history();
         history.add(BudgetReserved{"j1", 2});
         return history;
       },
       BudgetSettled{"j1", 1}, BudgetSettled{"j2", 1}, "no reservation"},
  };
}

std::vector<Rule> experiment_rules() {
  return {
      {"BaselineComesFirst", with_candidates, baseline(), experiment(1), "before the baseline"},
      {"OneOpenExperiment", in_experiment, decided(1), experiment(2), "still open"},
      {"ExperimentsAreNumbered", with_baseline, experiment(1), experiment(2), "does not follow"},
      {"ParentIsKnown", with_baseline, experiment(1), experiment(1, k_unknown), "never added"},
      {"SearchInTheOpenOne", in_experiment, Searched{1, 1, {}, {}, "", 1}, Searched{2, 1, {}, {}, "", 1},
       "not the open one"},
      {"OfferInTheOpenOne", in_experiment, CandidateOffered{1, k_b}, CandidateOffered{2, k_b}, "not the open one"},
      {"OfferIsKnown", in_experiment, CandidateOffered{1, k_b}, CandidateOffered{1, k_unknown}, "never added"},
      {"DecideTheOpenOne", in_experiment, decided(1), decided(2), "not the open one"},
      {"ParkedIsKnown", in_experiment, Parked{k_b, 1, "", "", {}, 3}, Parked{k_unknown, 1, "", "", {}, 3},
       "never added"},
      {"ParkedOfAnExperiment", in_experiment, Parked{k_b, 1, "", "", {}, 3}, Parked{k_b, 2, "", "", {}, 3},
       "experiment 2"},
      {"ParkedOfNoExperimentZero", in_experiment, Parked{k_b, 1, "", "", {}, 3}, Parked{k_b, 0, "", "", {}, 3},
       "experiment 0"},
      {"UnparkedWasParked",
       [] {
         History history = in_experiment();
         history.add(Parked{k_b, 1, "", "", {}, 3});
         return history;
       },
       Unparked{k_b, "expired"}, Unparked{k_a, "expired"}, "not parked"},
  };
}

std::vector<Rule> judging_rules() {
  return {
      {"OneComparisonAtATime", in_comparison, judged("j1", k_b), charged(2, "j2"), "no verdict yet"},
      {"ComparisonsAreNumbered", in_experiment, charged(1), charged(2), "does not follow"},
      {"ComparedIsKnown", in_experiment, charged(1), ComparisonCharged{"j1", 1, 0.05, k_unknown, k_a}, "never added"},
      {"ComparedWithTheKnown", in_experiment, charged(1), ComparisonCharged{"j1", 1, 0.05, k_b, k_unknown},
       "never added"},
      {"RoundOfTheOpenComparison", in_comparison, round_of("j1"), round_of("j2"), "to be charged"},
      {"AbandonedIsOpen", in_comparison, ComparisonAbandoned{"j1", ""}, ComparisonAbandoned{"j2", ""}, "not open"},
      {"NoDeviceChangesUnderAComparison", in_comparison, ComparisonAbandoned{"j1", ""}, Rebaselined{sample_pins()},
       "abandoned before"},
      {"RoundNeedsAComparison", in_experiment, charged(1), round_of("j1"), "to be charged"},
      {"PromotedIsKnown", in_experiment, promoted(1, "commit0"),
       Promoted{1, 1, k_unknown, "commit0", "tree1", "commit1", "", "", 0}, "never added"},
      {"VersionsAreNumbered", in_experiment, promoted(1, "commit0"), promoted(2, "commit0"), "does not follow"},
      {"VersionOnce", with_promotion, promoted(2, "commit1"), promoted(1, "commit1"), "does not follow"},
      {"ParentIsTheIncumbent", with_promotion, promoted(2, "commit1"), promoted(2, "commit0"), "incumbent's commit"},
      {"DemotedExists", with_promotion, Demoted{1, 0, ""}, Demoted{2, 0, ""}, "older version"},
      {"DemotionGoesBack", with_promotion, Demoted{1, 0, ""}, Demoted{1, 1, ""}, "older version"},
  };
}

std::vector<Rule> visit_rules() {
  return {
      {"AskedAfterTheBaseline", with_candidates, baseline(), Asked{"j1", "hone verify v0"}, "before the baseline"},
      {"AskedOnce",
       [] {
         History history = with_baseline();
         history.add(Asked{"j1", "hone verify v0"});
         return history;
       },
       Asked{"j2", "hone verify v0"}, Asked{"j1", "hone verify v0"}, "asked before"},
  };
}

std::vector<Rule> all_rules() {
  std::vector<Rule> all = opening_rules();
  for (const Rule& rule : experiment_rules()) all.push_back(rule);
  for (const Rule& rule : judging_rules()) all.push_back(rule);
  for (const Rule& rule : visit_rules()) all.push_back(rule);
  return all;
}

class EveryRule : public ::testing::TestWithParam<Rule> {};

TEST_P(EveryRule, KeptIsFolded) {
  History history = GetParam().before();
  const uint64_t before = history.state().sequence;
  history.add(GetParam().kept);
  EXPECT_EQ(history.state().sequence, before + 1);
}

TEST_P(EveryRule, BrokenIsRefusedAndChangesNothing) {
  History history = GetParam().before();
  const uint64_t before = history.state().sequence;
  const Status added = history.try_add(GetParam().broken);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::refused);
  EXPECT_NE(added.error().what.find(GetParam().words), std::string::npos) << added.error().what;
  EXPECT_NE(added.error().what.find(fmt::format("event {} ({})", before + 1, type_of(GetParam().broken))),
            std::string::npos);
  EXPECT_EQ(history.state().sequence, before);
  history.add(GetParam().kept);  // as if the broken one had never been offered
}

INSTANTIATE_TEST_SUITE_P(All, EveryRule, ::testing::ValuesIn(all_rules()),
                         [](const auto& rule) { return std::string(rule.param.name); });

TEST(Fold, RefusesAGapAndARepetition) {
  History history = opened_history();
  State state = history.state();
  for (const uint64_t sequence : {0, 1, 3}) {
    const Status applied = apply(state, {sequence, "t", SessionStarted{}});
    ASSERT_FALSE(applied) << sequence;
    EXPECT_NE(applied.error().what.find("does not follow 1"), std::string::npos);
  }
  EXPECT_TRUE(apply(state, {2, "t", SessionStarted{}}));
}

TEST(Fold, ATornTailMayComeFirst) {
  History history;
  history.add(TailTorn{17, "torn/1"}).add(opened());
  EXPECT_TRUE(history.state().opened.has_value());
}

TEST(Fold, KeepsTheHeadOfTheLog) {
  History history = opened_history();
  EXPECT_EQ(history.state().head, history.events().back().hash);
  State state = history.state();
  ASSERT_TRUE(apply(state, {2, "t", SessionStarted{}}));
  EXPECT_EQ(state.head, "") << "an event that has no line yet has no hash";
}

TEST(Fold, AVerdictClosesItsComparisonAlone) {
  History history = in_comparison();
  history.add(round_of("j1")).add(judged("j7", k_b));
  ASSERT_TRUE(history.state().open_comparison.has_value());
  EXPECT_EQ(history.state().open_comparison->rounds.size(), 1u);
  history.add(judged("j1", k_b));
  EXPECT_FALSE(history.state().open_comparison.has_value());
  EXPECT_EQ(history.state().judgements.size(), 2u);
  EXPECT_EQ(history.state().answers.count("j1" + k_b), 1u);
}

TEST(Fold, TheLedgerKeepsEveryComparison) {
  History history = in_comparison();
  history.add(judged("j1", k_b)).add(charged(2, "j2"));
  ASSERT_EQ(history.state().ledger.size(), 2u);
  EXPECT_EQ(history.state().ledger[1].job, "j2");
  EXPECT_EQ(history.state().comparisons, 2u);
}

TEST(Fold, PromotionMovesTheIncumbentAndDemotionMovesItBack) {
  History history = with_promotion();
  EXPECT_EQ(history.state().incumbent()->number, 1u);
  EXPECT_EQ(history.state().incumbent()->commit, "commit1");
  history.add(Demoted{1, 0, "wrong"});
  EXPECT_EQ(history.state().incumbent()->number, 0u);
  EXPECT_TRUE(history.state().versions[1].demoted);
  EXPECT_EQ(history.state().versions[1].demotion, "wrong");
  history.add(promoted(2, "commit0"));
  EXPECT_EQ(history.state().incumbent()->number, 2u);
}

TEST(Fold, ParkingIsRememberedAfterItEnds) {
  History history = in_experiment();
  history.add(decided(1)).add(Parked{k_b, 1, "loses a little", "vector loads", 0.1, 4});
  EXPECT_EQ(history.state().parked.count(k_b), 1u);
  history.add(Unparked{k_b, "expired"});
  EXPECT_TRUE(history.state().parked.empty());
  EXPECT_EQ(history.state().experiments[0].parked->reason, "loses a little");
  EXPECT_EQ(history.state().experiments[0].unparked, "expired");
}

TEST(Fold, AnExperimentKeepsTheDiagnosisItRestsOn) {
  History history = with_baseline();
  Diagnosed first;
  first.bottleneck = "memory";
  Diagnosed second;
  second.bottleneck = "compute";
  history.add(first).add(experiment(1)).add(decided(1)).add(second).add(experiment(2));
  EXPECT_EQ(history.state().experiments[0].diagnosis->bottleneck, "memory");
  EXPECT_EQ(history.state().experiments[1].diagnosis->bottleneck, "compute");
}

TEST(Fold, OpenExperimentsAndDecidedOnesAreCounted) {
  History history = in_experiment();
  ASSERT_NE(history.state().open_experiment(), nullptr);
  EXPECT_EQ(history.state().decided_experiments(), 0u);
  history.add(decided(1));
  EXPECT_EQ(history.state().open_experiment(), nullptr);
  EXPECT_EQ(history.state().decided_experiments(), 1u);
}

TEST(Fold, AnExperimentFindsTheAnswerToItsComparison) {
  History history = in_experiment();
  Judged verified = judged("j0", k_b);
  Judged compared = judged("j1", k_b);
  compared.question = Question::compare;
  history.add(CandidateOffered{1, k_b}).add(verified);
  EXPECT_FALSE(history.state().experiments[0].compared.has_value());
  history.add(charged(1)).add(compared);
  EXPECT_EQ(history.state().experiments[0].compared->job, "j1");
  History moved = history;
  moved.add(Rebaselined{sample_pins()});
  EXPECT_FALSE(moved.state().experiments[0].compared.has_value()) << "another device's answer decides nothing";
  history.add(promoted(1, "commit0")).add(Rebaselined{sample_pins()});
  EXPECT_TRUE(history.state().experiments[0].compared.has_value())
      << "a promotion stands, its experiment is still to be decided";
}

Judged comparison(const std::string& job, Outcome outcome = Outcome::faster) {
  Judged out = judged(job, k_b);
  out.key = "b against a";
  out.question = Question::compare;
  out.incumbent = k_a;
  out.outcome = outcome;
  return out;
}

TEST(Fold, WhatIsAskedBetweenRunsBelongsToNoExperiment) {
  History history = in_experiment();
  history.add(CandidateOffered{1, k_b}).add(Asked{"j1", "hone compare a b"}).add(charged(1)).add(round_of("j1"));
  EXPECT_TRUE(history.state().is_visit("j1"));
  history.add(comparison("j1"));
  const State& state = history.state();
  EXPECT_FALSE(state.open_comparison.has_value()) << "its verdict closes it";
  EXPECT_FALSE(state.experiments[0].compared.has_value());
  EXPECT_TRUE(state.answers.empty());
  EXPECT_TRUE(state.judgements.empty());
  EXPECT_EQ(state.visits.answers.at("b against a").job, "j1");
  EXPECT_EQ(state.visits.judgements.size(), 1u);
  EXPECT_EQ(state.comparisons, 1u) << "it is charged like any other";
}

TEST(Fold, ARunsAnswerIsNewerThanAVisits) {
  History history = in_experiment();
  history.add(CandidateOffered{1, k_b}).add(Asked{"j1", "hone compare a b"}).add(comparison("j1"));
  history.add(comparison("j2", Outcome::inconclusive));
  EXPECT_TRUE(history.state().visits.answers.empty());
  EXPECT_EQ(history.state().experiments[0].compared->job, "j2");
  history.add(Asked{"j3", "hone compare --again a b"}).add(comparison("j3"));
  EXPECT_EQ(history.state().answers.at("b against a").job, "j2") << "asking again buys no luck";
  EXPECT_EQ(history.state().visits.answers.at("b against a").job, "j3");
  History moved = history;
  moved.add(Rebaselined{sample_pins()});
  EXPECT_TRUE(moved.state().visits.answers.empty());
  history.add(decided(1)).add(promoted(1, "commit0")).add(Demoted{1, 0, ""});
  EXPECT_TRUE(history.state().visits.answers.empty()) << "it is about a version that was found wrong";
}

TEST(Fold, AnAbandonedComparisonStaysCharged) {
  History history = in_comparison();
  history.add(round_of("j1")).add(ComparisonAbandoned{"j1", "the device changed"});
  EXPECT_FALSE(history.state().open_comparison.has_value());
  EXPECT_EQ(history.state().comparisons, 1u);
  EXPECT_EQ(history.state().ledger.size(), 1u);
  history.add(charged(2, "j2"));
  EXPECT_EQ(history.state().comparisons, 2u);
}

TEST(Fold, SessionsThatDiedOrWereInterruptedAreOneRun) {
  History history = with_baseline();
  history.add(SessionStarted{}).add(experiment(1)).add(decided(1));
  history.add(SessionStarted{});
  EXPECT_EQ(history.state().run_first_experiment, 0u) << "it died";
  history.add(stopped(StopStatus::interrupted)).add(SessionStarted{});
  EXPECT_EQ(history.state().run_first_experiment, 0u) << "it was interrupted";
  history.add(stopped(StopStatus::max_iterations)).add(SessionStarted{});
  EXPECT_EQ(history.state().run_first_experiment, 1u) << "it ended";
}

TEST(Fold, NothingIsKnownOfAVersionThatWasFoundWrong) {
  History history = with_promotion();
  history.add(judged("j2", k_b)).add(judged("j3", k_a)).add(Demoted{1, 0, "wrong"});
  EXPECT_EQ(history.state().answers.size(), 1u);
  EXPECT_TRUE(history.state().answers.contains("j3" + k_a));
  EXPECT_TRUE(history.state().was_demoted(k_b));
  EXPECT_FALSE(history.state().was_demoted(k_a));
}

TEST(Fold, AnExperimentKnowsWhoWasAskedForIt) {
  History history = with_baseline();
  SessionStarted session;
  session.proposer = "manual";
  history.add(session).add(experiment(1));
  EXPECT_EQ(history.state().experiments[0].proposer, "manual");
}

TEST(Fold, BudgetsAreReservedThenSpent) {
  History history = opened_history();
  history.add(BudgetReserved{"j1", 6}).add(BudgetReserved{"j2", 1});
  EXPECT_DOUBLE_EQ(history.state().spent_device_seconds, 0);
  history.add(BudgetSettled{"j1", 4.25});
  EXPECT_DOUBLE_EQ(history.state().spent_device_seconds, 4.25);
  EXPECT_EQ(history.state().reserved.size(), 1u);
}

TEST(Fold, ATerminalStatusIsNeverOverwrittenWithinASession) {
  History history = opened_history();
  history.add(SessionStarted{}).add(stopped(StopStatus::target_met)).add(stopped(StopStatus::max_iterations));
  EXPECT_EQ(history.state().terminal, StopStatus::target_met);
  EXPECT_DOUBLE_EQ(history.state().wall_seconds, 20);
  EXPECT_DOUBLE_EQ(history.state().own_seconds, 2);
  history.add(SessionStarted{});
  EXPECT_FALSE(history.state().terminal.has_value());
  EXPECT_FALSE(history.state().stopped.has_value());
  EXPECT_EQ(history.state().sessions, 2u);
}

TEST(Fold, TheTargetChosenIsTheSessions) {
  History history = opened_history();
  history.add(SessionStarted{}).add(TargetChosen{0.0004, "contract"});
  EXPECT_EQ(history.state().session->target_s, 0.0004);
  EXPECT_EQ(history.state().session->target_origin, "contract");
}

TEST(Fold, RebaselineForgetsWhatCannotBeCompared) {
  History history = in_comparison();
  history.add(judged("j1", k_b)).add(DeadEnd{k_a, "g", "", ""}).add(FinalConfirmed{k_b, "", 1.5, {}});
  EXPECT_TRUE(history.state().is_dead_end(k_a, "g"));
  EXPECT_FALSE(history.state().is_dead_end(k_b, "g"));
  Pins pins = sample_pins();
  pins.toolchain = "g++ 13";
  history.add(Rebaselined{pins});
  EXPECT_TRUE(history.state().answers.empty());
  EXPECT_FALSE(history.state().is_dead_end(k_a, "g"));
  EXPECT_FALSE(history.state().final_confirmation.has_value());
  EXPECT_EQ(history.state().pins->toolchain, "g++ 13");
  EXPECT_EQ(history.state().opened->pins.toolchain, "g++ 12.2.0") << "what was pinned at first is history";
  EXPECT_EQ(history.state().rebaselined, history.events().back().time);
}

TEST(Fold, TheSamplesAreAValidHistory) {
  History history;
  for (EventBody& body : testing::sample_events()) {
    if (std::holds_alternative<ExperimentStarted>(body)) history.add(candidate(k_b));
    history.add(std::move(body));
  }
  EXPECT_EQ(history.state().versions.size(), 2u);
}

TEST(Fold, ReadingTheLinesBackFoldsToTheSameState) {
  const History history = with_promotion();
  State again;
  for (const Event& event : history.events()) {
    const auto read = from_line(to_line(event));
    ASSERT_TRUE(read);
    ASSERT_TRUE(apply(again, *read));
  }
  EXPECT_EQ(again.sequence, history.state().sequence);
  EXPECT_EQ(again.incumbent()->commit, history.state().incumbent()->commit);
}

}  // namespace
}  // namespace hone::campaign
