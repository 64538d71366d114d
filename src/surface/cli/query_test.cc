// verify, measure and compare go where they belong: into the campaign that knows what they are about, else outside.
#include <gmock/gmock.h>

#include "surface/cli/testing/tape_campaign.h"

namespace hone::cli {

Command audit_command();
Command compare_command();
Command measure_command();
Command verify_command();

namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::SmallCampaign;

constexpr std::string_view k_from_store = "note: answered from the store; --again measures anew";

class Asking : public ::testing::Test {
 protected:
  testing::Called compare(std::vector<std::string> words) { return campaign_.ask(compare_command(), std::move(words)); }
  testing::Called verify(std::vector<std::string> words) { return campaign_.ask(verify_command(), std::move(words)); }
  testing::Called audit() { return testing::call({audit_command()}, {"audit", campaign_.folder().string()}); }
  // Nothing was written into the campaign since it ended.
  void expect_untouched() { EXPECT_EQ(campaign_.state().sequence, ended_.sequence); }

  testing::RunCampaign campaign_;
  campaign::State ended_ = campaign_.state();
};

TEST_F(Asking, TheStoreAnswersWhatWasComparedBefore) {
  const auto called = compare({"v0", "v1"});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_THAT(called.output, HasSubstr("FASTER"));
  EXPECT_THAT(called.output, HasSubstr(k_from_store));
  expect_untouched();
}

TEST_F(Asking, WhatIsNewIsChargedUnderTheNextK) {
  const uint64_t k = ended_.comparisons + 1;
  const auto called = compare({"best", "baseline"});
  EXPECT_EQ(called.status, 1) << called.error;
  EXPECT_THAT(called.output, HasSubstr(fmt::format("error probability 0.05 (k = {})", k)));
  EXPECT_THAT(called.output, Not(HasSubstr(k_from_store)));
  EXPECT_EQ(campaign_.state().comparisons, k);
  EXPECT_THAT(SmallCampaign::read(campaign_.folder() / "reports/report.md"),
              HasSubstr("NOT_FASTER (asked between runs)"));
  const auto audited = audit();
  EXPECT_EQ(audited.status, 0);
  EXPECT_THAT(audited.output, Not(HasSubstr("written anew"))) << "the views were written already";
}

TEST_F(Asking, AgainMeasuresAnew) {
  const auto called = compare({"v0", "v1", "--again"});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_EQ(campaign_.state().comparisons, ended_.comparisons + 1);
  EXPECT_EQ(audit().status, 0);
}

TEST_F(Asking, ADigestAndAFolderOfAKnownCandidateAreInside) {
  const auto called = compare({ended_.versions[2].candidate.substr(0, 12), campaign_.task_folder().string()});
  EXPECT_EQ(called.status, 1) << called.error;
  EXPECT_EQ(campaign_.state().comparisons, ended_.comparisons + 1);
}

TEST_F(Asking, AFolderThatTheCampaignDoesNotKnowStaysOutside) {
  const std::string stranger = campaign_.stranger().string();
  const auto called = compare({"v0", stranger});
  EXPECT_EQ(called.status, 1) << called.error;
  EXPECT_THAT(called.output, HasSubstr("(k = 1)"));
  EXPECT_THAT(called.output, HasSubstr("which does not know '" + stranger + "': nothing is stored, k = 1"));
  expect_untouched();
}

TEST_F(Asking, AFolderWithAnEditedContractStaysOutside) {
  SmallCampaign::write(campaign_.task_folder() / "task.toml",
                       task::replaced(std::string(task::k_scale_toml), "a = 1.5", "a = 2.5"));
  const auto called = verify({campaign_.task_folder().string()});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_THAT(called.output, HasSubstr("which works under another contract: nothing is stored\n"));
  EXPECT_EQ(verify({"v1"}).status, 3) << "the campaign itself is asked, and its task was edited";
  expect_untouched();
}

TEST_F(Asking, WithoutACampaignThereIsNothingToSay) {
  const std::string task = campaign_.task_folder().string();
  fs::remove_all(campaign_.folder());
  const auto called = compare({task, task});
  EXPECT_EQ(called.status, 1) << called.error;
  EXPECT_THAT(called.output, Not(HasSubstr("outside of the campaign")));
  EXPECT_FALSE(path_exists(campaign_.folder()));
}

TEST_F(Asking, AgainNeedsACampaignThatKnows) {
  const auto called = compare({"v0", campaign_.stranger().string(), "--again"});
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.error, HasSubstr("leave --again out"));
  expect_untouched();
}

TEST_F(Asking, AnotherDeviceStopsAsAResumeWould) {
  campaign_.write_tape(loop::testing::replaced_device());
  const auto called = compare({"v0", "v1"});
  EXPECT_EQ(called.status, 3);
  EXPECT_THAT(called.error, HasSubstr("--rebaseline"));
}

TEST_F(Asking, VerifyAndMeasureAreKeptToo) {
  EXPECT_THAT(verify({"baseline"}).output, Not(HasSubstr(k_from_store)));
  EXPECT_THAT(verify({"baseline"}).output, HasSubstr(k_from_store));
  const auto measured = campaign_.ask(measure_command(), {"baseline"});
  EXPECT_EQ(measured.status, 0) << measured.error;
  EXPECT_THAT(measured.output, HasSubstr(k_from_store)) << "the run measured v0";
  EXPECT_EQ(audit().status, 0);
}

}  // namespace
}  // namespace hone::cli
