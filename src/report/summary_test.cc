// The final figures of a campaign, as JSON and as text.
#include "report/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/golden.h"
#include "views/testing/example_campaign.h"

namespace hone::report {
namespace {

using ::testing::HasSubstr;
using views::testing::ExampleCampaign;

Summary summary_of(const ExampleCampaign& example) {
  auto summary = summarize(example.state(), views::testing::example_task(), example.reader());
  EXPECT_TRUE(summary) << to_text(summary.error());
  return summary ? *std::move(summary) : Summary{};
}

fs::path golden(std::string_view name) { return fs::path(HONE_SOURCE_DIR) / "src/report/testdata" / name; }

TEST(Summary, OfAWholeCampaign) {
  const Summary summary = summary_of(views::testing::whole_campaign());
  EXPECT_TRUE(summary.improved);
  EXPECT_EQ(summary.best, "v2");
  EXPECT_EQ(summary.proof, views::Proof::direct);
  EXPECT_DOUBLE_EQ(*summary.speedup, 2.525);
  EXPECT_NEAR(*summary.baseline_s / *summary.final_s, *summary.speedup, 1e-6)
      << "both times come from the confirmation";
  EXPECT_NEAR(*summary.own_time_fraction, 1.5 / 40.5, 1e-12);
  EXPECT_DOUBLE_EQ(summary.device_seconds, 6 * 2.5);
  EXPECT_EQ(summary.promotions, 2u);
  EXPECT_EQ(summary.comparisons, 6u);
  EXPECT_EQ(summary.versions.size(), 3u);
  EXPECT_EQ(summary.status, "PLATEAU");
  EXPECT_EQ(summary.go_on, "hone resume --max-iterations +5");
}

TEST(Summary, GoldenJsonReadsBack) {
  const std::string text = json::pretty(json::to_text(summary_of(views::testing::whole_campaign())));
  hone::testing::expect_golden(golden("summary.json"), text);
  const auto read = json::from_text<Summary>(text);
  ASSERT_TRUE(read) << to_text(read.error());
  EXPECT_EQ(json::pretty(json::to_text(*read)), text);
}

TEST(Summary, GoldenText) {
  hone::testing::expect_golden(golden("summary.txt"), to_text(summary_of(views::testing::whole_campaign())));
}

TEST(Summary, WithoutADirectComparisonThereIsNoSpeedUp) {
  ExampleCampaign example;
  views::testing::add_baseline(example);
  views::testing::add_first_promotion(example);
  views::testing::add_failures(example);
  views::testing::add_second_promotion(example);
  const Summary summary = summary_of(example);
  EXPECT_FALSE(summary.speedup.has_value());
  EXPECT_EQ(json::to_text(summary).find("\"speedup\":2.5"), std::string::npos);
  EXPECT_THAT(to_text(summary), HasSubstr("v2 against v0: not confirmed directly"));
}

TEST(Summary, BeforeTheBaselineNothingIsClaimed) {
  ExampleCampaign example;
  example.history.add(campaign::CampaignOpened{1, "softmax", {}, campaign::testing::sample_pins(), ""});
  const Summary summary = summary_of(example);
  EXPECT_EQ(summary.status, "NEW");
  EXPECT_FALSE(summary.improved);
  EXPECT_FALSE(summary.baseline_s.has_value());
  EXPECT_FALSE(summary.own_time_fraction.has_value());
  EXPECT_EQ(summary.best, "");
  EXPECT_FALSE(summary.target_s.has_value());
  EXPECT_EQ(summary.log.events, example.state().sequence) << "with a target or without";
}

TEST(Summary, OwnTimeIsOverAllSessions) {
  ExampleCampaign example = views::testing::whole_campaign();
  example.history.add(campaign::SessionStarted{});
  example.history.add(campaign::Stopped{campaign::StopStatus::plateau, "", 59.5, 3.5});
  EXPECT_DOUBLE_EQ(*summary_of(example).own_time_fraction, 5.0 / 100.0);
}

TEST(Summary, TheTableIsAligned) {
  ExampleCampaign slow;
  views::testing::add_baseline(slow);
  const std::vector<Summary> all{summary_of(views::testing::whole_campaign()), summary_of(slow)};
  EXPECT_EQ(to_table(all),
            "task     baseline  final    speed-up [95 %]     of floor  status\n"
            "softmax  1.20 ms   476 µs   2.52× [2.50, 2.55]  25.0 %    PLATEAU\n"
            "softmax  1.19 ms   1.19 ms  -                   10.0 %    RUNNING\n");
}

TEST(Summary, HostileWordsStayOnTheirLine) {
  ExampleCampaign example;
  views::testing::add_baseline(example);
  example.history.add(campaign::Stopped{campaign::StopStatus::failed, "a\nStatus: TARGET_MET\x1b[2J", 1, 0});
  const std::string text = to_text(summary_of(example));
  EXPECT_EQ(text.find("\nStatus: TARGET_MET"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace hone::report
