// Views as files: golden bytes, the same bytes from the same State, rebuilding after loss, and what is stale or
// foreign.
#include "views/views.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "base/testing/faulty_disk.h"
#include "base/testing/golden.h"
#include "views/testing/example_campaign.h"
#include "views/words.h"

namespace hone::views {
namespace {

using testing::ExampleCampaign;

Files files_of(const ExampleCampaign& example) {
  auto files = make_views(example.state(), testing::example_task(), example.reader());
  EXPECT_TRUE(files) << to_text(files.error());
  return files ? *std::move(files) : Files{};
}

fs::path golden_folder(std::string_view name) { return fs::path(HONE_SOURCE_DIR) / "src/views/testdata" / name; }

void expect_golden_views(std::string_view name, const Files& files) {
  for (const auto& [path, content] : files) hone::testing::expect_golden(golden_folder(name) / path, content);
}

// A campaign's folder that is gone after the test.
class ViewFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = TemporaryFolder::make(fs::temp_directory_path(), "hone-views-");
    ASSERT_TRUE(made);
    folder_.emplace(*std::move(made));
  }
  const fs::path& folder() const { return folder_->path(); }
  std::vector<ViewFault> faults(const Files& files) const {
    auto found = check_views(folder(), files);
    EXPECT_TRUE(found);
    return found ? *std::move(found) : std::vector<ViewFault>{};
  }
  Disk disk_;

 private:
  std::optional<TemporaryFolder> folder_;
};

TEST(Views, GoldenOfAWholeCampaign) { expect_golden_views("whole", files_of(testing::whole_campaign())); }

TEST(Views, GoldenBeforeTheBaseline) {
  ExampleCampaign example;
  example.history.add(campaign::CampaignOpened{1, "softmax", {}, campaign::testing::sample_pins(), "the only device"});
  const Files files = files_of(example);
  EXPECT_EQ(files.size(), 2u) << "the log and the report alone: there are no figures";
  expect_golden_views("opened", files);
}

TEST(Views, GoldenAfterTheBaseline) {
  ExampleCampaign example;
  testing::add_baseline(example);
  expect_golden_views("baseline", files_of(example));
}

TEST(Views, WhatIsKnownOfTheDevice) {
  campaign::State state;
  EXPECT_EQ(device_text(state), "unknown device");
  state.pins = campaign::testing::sample_pins();
  EXPECT_EQ(device_text(state), "AMD EPYC 9454 (amd, x86_64, 48 compute units, 67.4 GB)");
  state.pins->device_name = "NVIDIA H200";
  state.pins->device = campaign::DeviceRecord{"nvidia", "NVIDIA H200", "9.0", 150.1, 132, false, 32, "sm_90"};
  EXPECT_EQ(device_text(state),
            "NVIDIA H200 (nvidia, sm_90, compute capability 9.0, 132 multiprocessors, 150.1 GB, warps of 32)");
  state.pins->device.reset();
  EXPECT_EQ(device_text(state), "NVIDIA H200") << "a log of an older hone, or a tape";
}

TEST(Views, ListsTheFilesOfTheTierFace) {
  const Files files = files_of(testing::whole_campaign());
  std::vector<std::string> paths;
  for (const auto& [path, content] : files) paths.push_back(path);
  EXPECT_EQ(paths,
            (std::vector<std::string>{"experiments/README.md", "memory/v0.json", "memory/v1.json", "memory/v2.json",
                                      "metrics.json", "reports/benchmark.json", "reports/report.md"}));
  for (const std::string& path : paths) EXPECT_TRUE(is_view_path(path)) << path;
}

TEST(Views, SameStateGivesTheSameBytes) {
  EXPECT_EQ(files_of(testing::whole_campaign()), files_of(testing::whole_campaign()));
}

// The events of the example are all of one day.
TEST(Views, TimesComeFromEventsAlone) {
  const std::regex date(R"(\d{4}-\d{2}-\d{2})");
  size_t dates = 0;
  for (const auto& [path, content] : files_of(testing::whole_campaign())) {
    for (std::sregex_iterator found(content.begin(), content.end(), date), end; found != end; ++found, ++dates)
      EXPECT_EQ(found->str(), "2026-01-02") << path;
  }
  EXPECT_GT(dates, 0u);
}

TEST(Views, AMissingBlobIsAnErrorThatNamesTheEvent) {
  ExampleCampaign example = testing::whole_campaign();
  example.forget_blobs();
  const auto files = make_views(example.state(), testing::example_task(), example.reader());
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code, ErrorCode::refused);
  EXPECT_NE(files.error().what.find("v0"), std::string::npos) << files.error().what;
}

TEST(Views, ABlobThatIsNoVerdictIsAnError) {
  ExampleCampaign example;
  example.history.add(campaign::CampaignOpened{1, "softmax", {}, campaign::testing::sample_pins(), ""});
  example.history.add(campaign::CandidateAdded{testing::digest_of('a'), {}, "baseline", {}, {}, {}});
  example.history.add(campaign::BaselineSet{testing::digest_of('a'), example.store("{}"), "", "", "", 0});
  const auto files = make_views(example.state(), testing::example_task(), example.reader());
  ASSERT_FALSE(files);
  EXPECT_NE(files.error().what.find("no verdict"), std::string::npos) << files.error().what;
}

TEST(Views, KnowsWhichPathsAreViews) {
  for (const std::string_view path : {"metrics.json", "reports/report.md", "memory/v0.json", "memory/v17.json"})
    EXPECT_TRUE(is_view_path(path)) << path;
  for (const std::string_view path :
       {"log.jsonl", "memory/v01.json", "memory/v.json", "memory/vx.json", "memory/v1.json~", "memory/notes.json",
        "memory/sub/v1.json", "v1.json", "reports/other.md", ""})
    EXPECT_FALSE(is_view_path(path)) << path;
}

TEST_F(ViewFiles, WrittenViewsAreWithoutFault) {
  const Files files = files_of(testing::whole_campaign());
  EXPECT_EQ(faults(files).size(), files.size()) << "nothing is written yet";
  ASSERT_TRUE(write_views(disk_, folder(), files));
  EXPECT_TRUE(faults(files).empty());
}

TEST_F(ViewFiles, DeletedAndEditedViewsComeBackByteForByte) {
  const Files files = files_of(testing::whole_campaign());
  ASSERT_TRUE(write_views(disk_, folder(), files));
  fs::remove_all(folder() / "memory");
  ASSERT_TRUE(write_file(disk_, folder() / "metrics.json", files.at("metrics.json") + " "));
  EXPECT_EQ(faults(files), (std::vector<ViewFault>{{"memory/v0.json", FaultKind::missing},
                                                   {"memory/v1.json", FaultKind::missing},
                                                   {"memory/v2.json", FaultKind::missing},
                                                   {"metrics.json", FaultKind::different}}));
  ASSERT_TRUE(write_views(disk_, folder(), files));
  EXPECT_TRUE(faults(files).empty());
}

TEST_F(ViewFiles, StaleViewsGoAndForeignFilesStay) {
  ASSERT_TRUE(write_views(disk_, folder(), files_of(testing::whole_campaign())));
  ASSERT_TRUE(write_file(disk_, folder() / "memory/notes.json", "mine"));
  ExampleCampaign younger;
  testing::add_baseline(younger);
  const Files files = files_of(younger);
  const auto found = faults(files);
  EXPECT_NE(std::find(found.begin(), found.end(), ViewFault{"memory/v2.json", FaultKind::stale}), found.end());
  ASSERT_TRUE(write_views(disk_, folder(), files));
  EXPECT_TRUE(faults(files).empty());
  EXPECT_FALSE(path_exists(folder() / "memory/v2.json"));
  EXPECT_TRUE(path_exists(folder() / "memory/notes.json"));
}

TEST_F(ViewFiles, UnchangedViewsAreNotTouched) {
  const Files files = files_of(testing::whole_campaign());
  hone::testing::FaultyDisk counting;
  ASSERT_TRUE(write_views(counting, folder(), files));
  const uint64_t first = counting.operations;
  ASSERT_TRUE(write_views(counting, folder(), files));
  EXPECT_EQ(counting.operations, first);
}

// Whatever operation fails: the error comes out, no view is half written, and the next try makes all of them right.
TEST_F(ViewFiles, AFailingDiskLeavesOldOrNewContent) {
  ExampleCampaign younger;
  testing::add_baseline(younger);
  const Files before = files_of(younger);
  const Files after = files_of(testing::whole_campaign());
  for (uint64_t operation = 1; operation < 60; operation += 3) {
    ASSERT_TRUE(write_views(disk_, folder(), before));
    hone::testing::FaultyDisk faulty;
    faulty.fail_from = operation;
    faulty.fail_until = operation;
    const Status written = write_views(faulty, folder(), after);
    EXPECT_EQ(written.has_value(), faulty.operations < operation);
    for (const auto& [path, content] : after) {
      const auto found = read_file(folder() / path);
      const bool old = before.contains(path) && found && *found == before.at(path);
      EXPECT_TRUE(!found || *found == content || old) << path;
    }
    ASSERT_TRUE(write_views(disk_, folder(), after));
    EXPECT_TRUE(faults(after).empty());
  }
}

}  // namespace
}  // namespace hone::views
