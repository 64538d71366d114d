// status, log and report: a campaign read without its lock.
#include <gmock/gmock.h>

#include "base/text.h"
#include "surface/cli/log.h"
#include "surface/cli/status.h"
#include "surface/cli/testing/small_campaign.h"

namespace hone::cli {

Command log_command();
Command report_command();
Command status_command();

namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::SmallCampaign;

class Reading : public ::testing::Test {
 protected:
  testing::Called hone(std::vector<std::string> words) {
    return testing::call({log_command(), report_command(), status_command()}, words);
  }
  testing::Called about(const std::string& command, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {command, campaign_.task_folder().string()});
    return hone(more);
  }
  SmallCampaign campaign_;
};

// ---- status

TEST_F(Reading, StatusSaysWhatIsBestAndHowItEnded) {
  const auto called = about("status");
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_THAT(called.output, HasSubstr("scale: EXHAUSTED (no tier is left)"));
  EXPECT_THAT(called.output, HasSubstr("best: v1 at 1.00 ms, baseline 2.00 ms, proven 2.00"));
}

TEST_F(Reading, StatusAsADocumentCanBeReadBack) {
  const auto document = json::from_text<StatusDocument>(about("status", {"--json"}).output);
  ASSERT_TRUE(document) << to_text(document.error());
  EXPECT_EQ(document->schema, "hone.status/1");
  EXPECT_EQ(document->best, "v1");
  EXPECT_EQ(document->versions, 2u);
  EXPECT_EQ(document->comparisons, 2u);
  EXPECT_FALSE(document->at_work);
}

TEST_F(Reading, StatusWorksWhileAnotherHoneHoldsTheCampaign) {
  Disk disk;
  FakeClock clock;
  const auto writer = loop::Store::open(disk, clock, campaign_.folder(), "hone resume scale");
  ASSERT_TRUE(writer);
  const auto document = json::from_text<StatusDocument>(about("status", {"--json"}).output);
  ASSERT_TRUE(document && document->at_work);
  EXPECT_EQ(document->at_work->pid, getpid());
  EXPECT_EQ(document->at_work->command, "hone resume scale");
}

TEST_F(Reading, StatusOfAFreshCampaignHasNoNumbers) {
  loop::ReadOnly fresh;
  const StatusDocument document = status_of(fresh, "x.hone", std::nullopt);
  EXPECT_EQ(document.status, "NEW");
  EXPECT_FALSE(document.best_s);
  EXPECT_THAT(to_text(document), HasSubstr("no baseline yet"));
}

TEST_F(Reading, GainOverTheBaselineIsThatOfOneComparisonWithIt) {
  campaign::State state = campaign_.state();
  EXPECT_TRUE(gain_over_baseline(state, state.versions[1]).speedup);
  EXPECT_FALSE(gain_over_baseline(state, state.versions[0]).speedup);
  state.final_confirmation.reset();
  EXPECT_TRUE(gain_over_baseline(state, state.versions[1]).speedup) << "promoted straight from v0";
  state.rebaselined = "2999";
  EXPECT_FALSE(gain_over_baseline(state, state.versions[1]).speedup) << "numbers from before are not comparable";
  state.rebaselined.reset();
  state.versions[1].parent = "another commit";
  EXPECT_FALSE(gain_over_baseline(state, state.versions[1]).speedup);
}

TEST_F(Reading, StatusTellsTheOpenExperiment) {
  campaign_.add(campaign::ExperimentStarted{2, campaign_.state().incumbent()->candidate, 2, "tunables of tier 2",
                                            "faster", "ITEMS 1 to 2", "", ""});
  EXPECT_THAT(about("status").output, HasSubstr("experiment 2 (tier 2), searching: ITEMS 1 to 2"));
}

TEST_F(Reading, StatusTellsATornTail) {
  SmallCampaign::write(campaign_.log(), SmallCampaign::read(campaign_.log()) + "{");
  EXPECT_THAT(about("status").output, HasSubstr("1 byte of a line that was cut short"));
}

TEST_F(Reading, NoCampaignIsAUsageErrorThatSaysHowToStartOne) {
  for (const std::string command : {"status", "log", "report"}) {
    const auto called = hone({command, campaign_.root().string()});
    EXPECT_EQ(called.status, 2) << command;
    EXPECT_THAT(called.error, HasSubstr("hone run TASK")) << command;
  }
}

// ---- log

TEST_F(Reading, LogHasOneLineAnEvent) {
  const auto called = about("log");
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_EQ(split_lines(called.output).size(), campaign_.state().sequence + 1);
  EXPECT_THAT(called.output, HasSubstr("promoted"));
  EXPECT_THAT(called.output, HasSubstr("EXHAUSTED: no tier is left"));
}

TEST_F(Reading, LogChoosesByTypeAndFromTheEnd) {
  EXPECT_EQ(split_lines(about("log", {"--type", "judged"}).output).size(), 4u);
  const auto called = about("log", {"--type", "judged", "--last", "1"});
  EXPECT_EQ(split_lines(called.output).size(), 2u);
  EXPECT_EQ(split_lines(about("log", {"--last", "0"}).output).size(), 1u);
}

TEST_F(Reading, LogSuggestsATypeAndRefusesAnOddCount) {
  auto called = about("log", {"--type", "promotd"});
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.error, HasSubstr("did you mean 'promoted'?"));
  EXPECT_EQ(about("log", {"--last", "-1"}).status, 2);
  EXPECT_EQ(about("log", {"--last", "some"}).status, 2);
}

TEST_F(Reading, LogAsADocumentHoldsTheLinesThemselves) {
  const auto document = json::from_text<LogDocument>(about("log", {"--json"}).output);
  ASSERT_TRUE(document) << to_text(document.error());
  std::string lines;
  for (const json::Raw& event : document->events) lines += event.text + "\n";
  EXPECT_EQ(lines, SmallCampaign::read(campaign_.log()));
}

TEST_F(Reading, LogNamesTheLineOfAnEdit) {
  std::string log = SmallCampaign::read(campaign_.log());
  log[log.find('\n') + 20] ^= 1;
  SmallCampaign::write(campaign_.log(), log);
  const auto called = about("log");
  EXPECT_EQ(called.status, 1);
  EXPECT_THAT(called.error, HasSubstr("log.jsonl:2"));
}

TEST(ShortText, ForeignTextStaysOnOneLineAndIsEscaped) {
  campaign::Stopped stopped;
  stopped.reason = "a\nb\x1b[31m";
  const std::string text = short_text(stopped);
  EXPECT_THAT(text, HasSubstr("a b\\x1b[31m"));
  EXPECT_THAT(text, Not(HasSubstr("\n")));
}

TEST(ShortText, EveryTypeOfEventSaysSomething) {
  for (const campaign::EventBody& body : campaign::testing::sample_events())
    EXPECT_FALSE(short_text(body).empty()) << campaign::type_of(body);
}

// ---- report

TEST_F(Reading, ReportWorksFromLogAndBlobsAlone) {
  const std::string before = about("report").output;
  EXPECT_THAT(before, HasSubstr("scale"));
  fs::remove_all(campaign_.task_folder());
  for (const char* part : {"contract", "store.git", "reports", "memory", "experiments", "lock"})
    fs::remove_all(campaign_.folder() / part);
  const auto called = hone({"report", campaign_.folder().string()});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_EQ(called.output, before);
}

TEST_F(Reading, ReportAsMarkdownIsTheView) {
  EXPECT_EQ(about("report", {"--format", "md"}).output, SmallCampaign::read(campaign_.folder() / "reports/report.md"));
}

TEST_F(Reading, ReportAsADocument) {
  const auto summary = json::from_text<report::Summary>(about("report", {"--json"}).output);
  ASSERT_TRUE(summary) << to_text(summary.error());
  EXPECT_EQ(summary->best, "v1");
  EXPECT_EQ(about("report", {"--format", "json"}).output, about("report", {"--json"}).output);
}

TEST_F(Reading, SummaryHasOneLineACampaign) {
  const std::string folder = campaign_.folder().string();
  const auto called = hone({"report", folder, folder, "--summary"});
  EXPECT_EQ(called.status, 0) << called.error;
  EXPECT_EQ(split_lines(called.output).size(), 3u);
  const auto document = hone({"report", folder, folder, "--summary", "--json"});
  EXPECT_THAT(document.output, HasSubstr("\"schema\": \"hone.reports/1\""));
}

TEST_F(Reading, ReportRefusesAnUnknownFormat) {
  const auto called = about("report", {"--format", "htm"});
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.error, HasSubstr("one of: text, md, json"));
}

}  // namespace
}  // namespace hone::cli
