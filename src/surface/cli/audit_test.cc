// The audit of a campaign that was whole until the test touched it.
#include <gmock/gmock.h>

#include "surface/cli/commands.h"
#include "surface/cli/testing/small_campaign.h"

namespace hone::cli {

Command audit_command();

namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::SmallCampaign;

class Audit : public ::testing::Test {
 protected:
  testing::Called audit(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"audit", campaign_.folder().string()});
    return testing::call({audit_command()}, more);
  }
  // Every view with its bytes.
  std::map<std::string, std::string> views() const {
    std::map<std::string, std::string> found;
    const auto files = list_files(campaign_.folder());
    for (const fs::path& file : *files) {
      if (views::is_view_path(file.string())) found[file.string()] = SmallCampaign::read(campaign_.folder() / file);
    }
    return found;
  }
  void git(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"git", "--git-dir", (campaign_.folder() / "store.git").string()});
    const auto done = Processes().run({.argv = arguments});
    ASSERT_TRUE(done && done->succeeded()) << done->errors;
  }
  void change_byte(const fs::path& file, size_t at) {
    std::string bytes = SmallCampaign::read(file);
    ASSERT_LT(at, bytes.size());
    bytes[at] = bytes[at] == '1' ? '2' : '1';
    SmallCampaign::write(file, bytes);
  }

  SmallCampaign campaign_;
};

TEST_F(Audit, AWholeCampaignIsWhole) {
  const auto called = audit();
  EXPECT_EQ(called.status, 0) << called.output << called.error;
  EXPECT_THAT(called.output, HasSubstr("store.git: 2 versions"));
  EXPECT_THAT(called.output, HasSubstr("\nwhole\n"));
}

TEST_F(Audit, EveryDeletedViewComesBackByteForByte) {
  const auto before = views();
  ASSERT_EQ(before.size(), 6u);
  for (const auto& [path, bytes] : before) ASSERT_TRUE(fs::remove(campaign_.folder() / path));
  const auto called = audit();
  EXPECT_EQ(called.status, 0) << called.output << called.error;
  EXPECT_EQ(views(), before);
  EXPECT_THAT(called.output, HasSubstr("metrics.json: missing (written anew)"));
}

TEST_F(Audit, ADeletedStoreComesBackWithTheSameCommits) {
  fs::remove_all(campaign_.folder() / "store.git");
  EXPECT_EQ(audit().status, 0);
  git({"cat-file", "-e", campaign_.state().versions[1].commit});
  EXPECT_THAT(audit().output, HasSubstr("store.git: 2 versions"));
}

TEST_F(Audit, AChangedByteInTheLogIsNamedByItsLine) {
  const std::string log = SmallCampaign::read(campaign_.log());
  const size_t third_line = log.find('\n', log.find('\n') + 1) + 1;
  change_byte(campaign_.log(), third_line + 40);
  const auto called = audit();
  EXPECT_EQ(called.status, 1);
  EXPECT_THAT(called.error, HasSubstr("log.jsonl:3"));
}

TEST_F(Audit, AnEditedViewIsReportedAndRewrittenOnRequestOnly) {
  const fs::path page = campaign_.folder() / "reports/report.md";
  const std::string before = SmallCampaign::read(page);
  SmallCampaign::write(page, "edited");
  const auto called = audit();
  EXPECT_EQ(called.status, 1);
  EXPECT_THAT(called.output, HasSubstr("reports/report.md"));
  EXPECT_EQ(SmallCampaign::read(page), "edited");
  EXPECT_EQ(audit({"--rebuild"}).status, 0);
  EXPECT_EQ(SmallCampaign::read(page), before);
}

TEST_F(Audit, AStaleViewGoesOnRequest) {
  const fs::path stale = campaign_.folder() / "memory/v7.json";
  SmallCampaign::write(stale, "{}");
  EXPECT_EQ(audit().status, 1);
  EXPECT_TRUE(path_exists(stale));
  EXPECT_EQ(audit({"--rebuild"}).status, 0);
  EXPECT_FALSE(path_exists(stale));
}

TEST_F(Audit, AMissingBlobAndADamagedOneAreNamed) {
  const std::string verdict = campaign_.state().versions[1].verdict;
  const fs::path blob = campaign_.folder() / "blobs" / verdict.substr(0, 2) / verdict.substr(2);
  change_byte(blob, 10);
  auto called = audit();
  EXPECT_EQ(called.status, 1);
  EXPECT_THAT(called.output, HasSubstr(verdict));
  fs::remove(blob);
  called = audit();
  EXPECT_EQ(called.status, 1);
  EXPECT_THAT(called.output, HasSubstr("NOT WHOLE"));
}

TEST_F(Audit, AnIncumbentBehindTheLogIsMovedForward) {
  git({"update-ref", "refs/hone/incumbent", campaign_.state().versions[0].commit});
  EXPECT_EQ(audit().status, 0);
  EXPECT_THAT(audit().output, Not(HasSubstr("incumbent")));
}

TEST_F(Audit, ARefThatSomebodyMovedIsReportedAndLeft) {
  git({"update-ref", "refs/hone/v1", campaign_.state().versions[0].commit});
  const auto called = audit({"--rebuild"});
  EXPECT_EQ(called.status, 1);
  EXPECT_THAT(called.output, HasSubstr("refs/hone/v1: at "));
}

TEST_F(Audit, ACutLogShowsInTheCommitsThatItOutran) {
  std::string log = SmallCampaign::read(campaign_.log());
  const size_t promoted = log.rfind('\n', log.find("\"type\":\"promoted\""));
  SmallCampaign::write(campaign_.log(), log.substr(0, log.rfind('\n', promoted - 1) + 1));
  const auto called = audit();
  EXPECT_EQ(called.status, 1);
  EXPECT_THAT(called.output, HasSubstr("git refs/hone/v1: in store.git and not in the log"));
  EXPECT_THAT(called.output, HasSubstr("anchor refs/hone/v1"));
}

TEST_F(Audit, ATornTailIsToldAndIsNoFault) {
  SmallCampaign::write(campaign_.log(), SmallCampaign::read(campaign_.log()) + "{\"seq\":");
  const auto called = audit();
  EXPECT_EQ(called.status, 0) << called.output << called.error;
  EXPECT_THAT(called.output, HasSubstr("7 bytes"));
  EXPECT_THAT(SmallCampaign::read(campaign_.log()), ::testing::EndsWith("{\"seq\":"));
}

TEST_F(Audit, WhileAnotherHoneWorksViewsAreNotJudged) {
  Disk disk;
  FakeClock clock;
  const auto writer = loop::Store::open(disk, clock, campaign_.folder(), "hone run scale");
  ASSERT_TRUE(writer);
  fs::remove(campaign_.folder() / "metrics.json");
  const auto called = audit();
  EXPECT_EQ(called.status, 0);
  EXPECT_THAT(called.output, HasSubstr("not checked"));
  EXPECT_FALSE(path_exists(campaign_.folder() / "metrics.json"));
}

TEST_F(Audit, NothingThereIsAUsageError) {
  const auto called = testing::call({audit_command()}, {"audit", campaign_.root().string()});
  EXPECT_EQ(called.status, 2);
  EXPECT_THAT(called.error, HasSubstr("there is no campaign"));
}

}  // namespace
}  // namespace hone::cli
