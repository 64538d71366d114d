// Claims that are measured again: agreement, contradiction, and that an audit writes nothing into the log.
#include "surface/cli/audit_claims.h"

#include <gmock/gmock.h>

#include "surface/cli/audit_parts.h"
#include "surface/cli/testing/tape_campaign.h"

namespace hone::cli {

Command audit_command();

namespace {

using campaign::Interval;
using campaign::Outcome;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::SmallCampaign;

// ---- one claim
// ----------------------------------------------------------------------------------------------------------------------

struct WeighedRow {
  std::string_view name;
  Outcome outcome;
  std::optional<Interval> interval;
  ClaimAnswer answer;
};
constexpr WeighedRow k_rows[] = {
    {"TheSameAgain", Outcome::faster, Interval{1.28, 1.31}, ClaimAnswer::agrees},
    {"TouchingIntervals", Outcome::faster, Interval{1.35, 1.4}, ClaimAnswer::agrees},
    {"MuchFasterNow", Outcome::faster, Interval{1.351, 1.4}, ClaimAnswer::contradicts},
    {"LessFasterNow", Outcome::faster, Interval{1.1, 1.249}, ClaimAnswer::contradicts},
    {"NotFaster", Outcome::not_faster, Interval{1.0, 1.3}, ClaimAnswer::contradicts},
    {"Wrong", Outcome::incorrect_numerical, std::nullopt, ClaimAnswer::contradicts},
    {"WhatItWasComparedWithIsWrong", Outcome::incumbent_wrong, std::nullopt, ClaimAnswer::contradicts},
    {"NotTold", Outcome::inconclusive, std::nullopt, ClaimAnswer::inconclusive},
    {"NotToldButFarAway", Outcome::inconclusive, Interval{0.9, 1.1}, ClaimAnswer::contradicts},
};

class Weigh : public ::testing::TestWithParam<WeighedRow> {};

TEST_P(Weigh, AClaimByTheNewAnswer) {
  campaign::Verdict verdict;
  verdict.outcome = GetParam().outcome;
  if (GetParam().interval) {
    verdict.comparison.emplace();
    verdict.comparison->speedup_interval = GetParam().interval;
  }
  EXPECT_EQ(weigh({"v1", "v0", 1.3, Interval{1.25, 1.35}}, verdict).answer, GetParam().answer);
}

INSTANTIATE_TEST_SUITE_P(Each, Weigh, ::testing::ValuesIn(k_rows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Claims, TheWorstDecidesTheStatus) {
  const auto of = [](std::vector<ClaimAnswer> answers) {
    std::vector<RemeasuredClaim> claims;
    for (const ClaimAnswer answer : answers) claims.push_back({{}, {}, "", {}, {}, answer});
    return exit_status(claims);
  };
  EXPECT_EQ(of({}), 0);
  EXPECT_EQ(of({ClaimAnswer::agrees, ClaimAnswer::agrees}), 0);
  EXPECT_EQ(of({ClaimAnswer::agrees, ClaimAnswer::inconclusive}), 4);
  EXPECT_EQ(of({ClaimAnswer::contradicts, ClaimAnswer::inconclusive}), 1);
}

// ---- the command
// ---------------------------------------------------------------------------------------------------------------------

class Remeasure : public ::testing::Test {
 protected:
  testing::Called audit(std::vector<std::string> words) const {
    words.insert(words.begin(), "--remeasure");
    return campaign_.ask(audit_command(), std::move(words));
  }
  // v1 is what ITEMS = 8 makes of v0.
  void items_take(const std::string& nanoseconds) const {
    campaign_.write_tape(
        task::replaced(std::string(loop::testing::k_tape), "[[6000,6010],[6020,5990]]", "[[" + nanoseconds + "]]"));
  }
  void expect_untouched() const { EXPECT_EQ(SmallCampaign::read(campaign_.folder() / "log.jsonl"), log_); }

  testing::RunCampaign campaign_;
  std::string log_ = SmallCampaign::read(campaign_.folder() / "log.jsonl");
};

TEST_F(Remeasure, EveryClaimThatStandsAgrees) {
  const auto called = audit({});
  EXPECT_EQ(called.status, 0) << called.error << called.output;
  EXPECT_THAT(called.output, HasSubstr("claim v1 over v0: 1.33×"));
  EXPECT_THAT(called.output, HasSubstr("claim v2 over v1: 1.50×"));
  EXPECT_THAT(called.output, HasSubstr("FASTER (confirmed): agrees\nwhole\n"));
  expect_untouched();
}

TEST_F(Remeasure, OneClaimByItsName) {
  const auto called = audit({"v2"});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_THAT(called.output, HasSubstr("claim v2"));
  EXPECT_THAT(called.output, Not(HasSubstr("claim v1")));
}

TEST_F(Remeasure, AWorkspaceMayComeFirst) {
  const auto called = testing::call({audit_command()}, {"audit", campaign_.task_folder().string(), "best",
                                                        "--remeasure", "--tape", campaign_.tape().string()});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_THAT(called.output, HasSubstr("claim v2"));
}

TEST_F(Remeasure, AClaimThatIsNotFasterNowIsContradicted) {
  items_take("8000");
  const auto called = audit({"v1"});
  EXPECT_EQ(called.status, 1) << called.error;
  EXPECT_THAT(called.output, HasSubstr("NOT_FASTER"));
  EXPECT_THAT(called.output, HasSubstr("contradicts"));
  expect_untouched();
}

TEST_F(Remeasure, AnotherSpeedUpIsAContradictionToo) {
  items_take("5000");
  const auto called = audit({"v1", "--json"});
  EXPECT_EQ(called.status, 1) << called.error;
  const auto document = json::from_text<AuditDocument>(called.output);
  ASSERT_TRUE(document) << called.output;
  ASSERT_EQ(document->claims->size(), 1u);
  const RemeasuredClaim& again = document->claims->front();
  EXPECT_EQ(again.outcome, Outcome::faster);
  EXPECT_EQ(again.answer, ClaimAnswer::contradicts);
  EXPECT_LT(again.claim.speedup_interval->high, again.speedup_interval->low);
  EXPECT_TRUE(document->whole);
}

TEST_F(Remeasure, AnotherDeviceCannotTell) {
  campaign_.write_tape(loop::testing::replaced_device());
  const auto called = audit({});
  EXPECT_EQ(called.status, 3);
  EXPECT_THAT(called.error, HasSubstr("the device or its compiler (was "));
}

TEST_F(Remeasure, TheContractIsTheLogs) {
  SmallCampaign::write(campaign_.folder() / "contract/task.toml", "edited");
  EXPECT_EQ(audit({"v1"}).status, 0);
}

TEST_F(Remeasure, WhatClaimsNothingIsAUsageError) {
  EXPECT_THAT(audit({"v0"}).error, HasSubstr("v0 is what the others are compared with"));
  EXPECT_THAT(audit({"v7"}).error, HasSubstr("goes up to v2"));
  const auto without = campaign_.ask(audit_command(), {campaign_.task_folder().string(), "v1"});
  EXPECT_EQ(without.status, 2);
  EXPECT_THAT(without.error, HasSubstr("add --remeasure"));
}

TEST_F(Remeasure, AVersionThatWasFoundWrongClaimsNothing) {
  Disk disk;
  FakeClock clock;
  auto store = loop::Store::open(disk, clock, campaign_.folder(), "hone run");
  ASSERT_TRUE(store->append(campaign::Demoted{2, 1, "wrong at n = 1"}));
  const auto read = read_whole(campaign_.folder());
  Context context;
  EXPECT_THAT(remeasure_claims(context, *read, {"v2"}).error().why, HasSubstr("found wrong: wrong at n = 1"));
}

TEST_F(Remeasure, ClaimsFromBeforeARebaselineAreOfAnotherDevice) {
  Disk disk;
  FakeClock clock;
  clock.advance(std::chrono::hours(1));
  auto store = loop::Store::open(disk, clock, campaign_.folder(), "hone run");
  ASSERT_TRUE(store->append(campaign::Rebaselined{*store->state().pins}));
  const auto read = read_whole(campaign_.folder());
  Context context;
  EXPECT_EQ(remeasure_claims(context, *read, {"v1"}).error().code, ErrorCode::environment);
  EXPECT_TRUE(remeasure_claims(context, *read, {})->empty());
}

TEST_F(Remeasure, ACampaignThatIsNotWholeIsNotMeasured) {
  const std::string verdict = campaign_.state().versions[1].verdict;
  fs::remove(campaign_.folder() / "blobs" / verdict.substr(0, 2) / verdict.substr(2));
  const auto called = audit({});
  EXPECT_EQ(called.status, 1);
  EXPECT_THAT(called.output, Not(HasSubstr("claim")));
  EXPECT_THAT(called.output, HasSubstr("NOT WHOLE"));
}

}  // namespace
}  // namespace hone::cli
