// What a run finds when it comes back: a log cut anywhere, other pins, an edited task, a full disk, another hone.
#include <gmock/gmock.h>

#include "base/testing/faulty_disk.h"
#include "loop/testing/tape_campaign.h"
#include "record/lock.h"
#include "views/views.h"

namespace hone::loop {
namespace {

using campaign::Question;
using campaign::StopStatus;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::outcome_of;
using testing::statuses;
using testing::TapeCampaign;

using Run = Result<RunReport> (TapeCampaign::*)();

// The number of lines up to and with the n-th event of this type.
size_t lines_until(const TapeCampaign& campaign, const std::string& type, int which = 1) {
  const auto lines = campaign.log_lines();
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find("\"type\":\"" + type + "\"") != std::string::npos && --which == 0) return i + 1;
  }
  ADD_FAILURE() << "no event " << type;
  return lines.size();
}

void goes_on(TapeCampaign& campaign, Run run) {
  const auto report = (campaign.*run)();
  ASSERT_TRUE(report) << to_text(report.error());
}

// ---- a log cut anywhere
// ----------------------------------------------------------------------------------------------------------

class EveryPrefix : public ::testing::TestWithParam<Run> {};

TEST_P(EveryPrefix, EndsAsIfNothingHadHappened) {
  TapeCampaign whole;
  goes_on(whole, GetParam());
  const std::string expected = outcome_of(whole.state());
  const size_t stopped = lines_until(whole, "stopped") - 1;
  const auto lines = whole.log_lines();
  // Rounds are many and alike.
  for (size_t kept = 0; kept <= stopped; kept += lines[kept].find("round_measured") != std::string::npos ? 17 : 5) {
    TapeCampaign cut;
    whole.copy_to(cut);
    cut.script_path = whole.script_file();
    cut.keep_events(kept);
    goes_on(cut, GetParam());
    ASSERT_EQ(outcome_of(cut.state()), expected) << "cut after " << kept << " events";
    ASSERT_EQ(cut.refs().at("refs/hone/incumbent").hex, cut.state().incumbent()->commit);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, EveryPrefix, ::testing::Values(&TapeCampaign::script, &TapeCampaign::tune),
                         [](const auto& one) { return one.index == 0 ? "AScript" : "ATuning"; });

TEST(Resume, APromotedExperimentFindsItsOwnVerdict) {
  TapeCampaign campaign;
  goes_on(campaign, &TapeCampaign::script);
  campaign.keep_events(lines_until(campaign, "promoted"));
  ASSERT_NE(campaign.state().open_experiment(), nullptr);
  campaign.executor->asked.clear();
  goes_on(campaign, &TapeCampaign::script);
  EXPECT_EQ(statuses(campaign.state()).front(), "IMPROVED");
  EXPECT_EQ(campaign.state().versions[1].experiment, 1u);
  EXPECT_THAT(campaign.executor->asked.front(), Question::verify)
      << "the next candidate's: nothing of the first is asked again";
  EXPECT_EQ(campaign.state().experiments[0].decided->verdict, campaign.state().versions[1].verdict);
}

TEST(Resume, ATornLineIsKeptAsideAndTold) {
  TapeCampaign campaign;
  goes_on(campaign, &TapeCampaign::script);
  const std::string expected = outcome_of(campaign.state());
  campaign.keep_events(lines_until(campaign, "candidate_offered"));
  const std::string log = read_file(campaign.log()).value_or("");
  TapeCampaign::write(campaign.log(), log + "{\"seq\":99,\"time\":");
  goes_on(campaign, &TapeCampaign::script);
  EXPECT_EQ(outcome_of(campaign.state()), expected);
  EXPECT_GT(lines_until(campaign, "tail_torn"), 0u);
  EXPECT_FALSE(fs::is_empty(campaign.folder() / "torn"));
}

// ---- pins
// ------------------------------------------------------------------------------------------------------------------------

TEST(Pins, AnotherDeviceStops) {
  TapeCampaign campaign;
  goes_on(campaign, &TapeCampaign::script);
  campaign.executor->uuid = "another one of the same kind";
  const auto report = campaign.script();
  ASSERT_FALSE(report);
  EXPECT_EQ(exit_code(report.error().code), 3);
  EXPECT_THAT(report.error().what, HasSubstr("it looks like tape CPU"));
  EXPECT_THAT(report.error().what, HasSubstr("and is another"));
  EXPECT_THAT(report.error().help, HasSubstr("--rebaseline"));
}

TEST(Pins, OtherHeadersStop) {
  TapeCampaign campaign;
  campaign.executor->roots = {{"cutlass", "/opt/cutlass", std::string(64, '1')}};
  goes_on(campaign, &TapeCampaign::script);
  EXPECT_EQ(campaign.state().pins->headers, "cutlass 111111111111");
  campaign.executor->roots[0].folder = "/elsewhere";
  goes_on(campaign, &TapeCampaign::script);
  campaign.executor->roots[0].digest = std::string(64, '2');
  const auto report = campaign.script();
  ASSERT_FALSE(report);
  EXPECT_EQ(exit_code(report.error().code), 3);
  EXPECT_THAT(report.error().what, HasSubstr("was cutlass 111111111111; is cutlass 222222222222"));
  campaign.executor->roots.clear();
  EXPECT_THAT(campaign.script().error().what, HasSubstr("is none"));
}

TEST(Pins, ARebaselineMeasuresAnew) {
  TapeCampaign campaign;
  campaign.device.emplace().name = "tape CPU";
  goes_on(campaign, &TapeCampaign::script);
  EXPECT_EQ(campaign.state().pins->device->name, "tape CPU");
  campaign.write_tape(testing::replaced_device());
  campaign.device->name = "another tape CPU";
  campaign.request.pinning = Pinning::rebaseline;
  goes_on(campaign, &TapeCampaign::script);
  EXPECT_EQ(campaign.executor->times_asked(Question::measure), 2u) << "v0 and the incumbent";
  EXPECT_EQ(campaign.state().pins->device->name, "another tape CPU") << "its record too";
  EXPECT_EQ(campaign.state().pins->device_name, "another tape CPU");
  EXPECT_TRUE(campaign.state().rebaselined.has_value());
}

TEST(Pins, RoundsOfTwoDevicesNeverMeet) {
  TapeCampaign campaign;
  goes_on(campaign, &TapeCampaign::script);
  campaign.keep_events(lines_until(campaign, "round_measured", 5));
  ASSERT_EQ(campaign.state().open_comparison->rounds.size(), 5u);
  campaign.write_tape(testing::replaced_device());
  campaign.request.pinning = Pinning::rebaseline;
  std::vector<judge::JudgingJob> comparisons;
  campaign.executor->watch = [&](const judge::JudgingJob& job, const auto&) {
    if (job.question == Question::compare) comparisons.push_back(job);
    return std::nullopt;
  };
  goes_on(campaign, &TapeCampaign::script);
  ASSERT_FALSE(comparisons.empty());
  EXPECT_TRUE(comparisons.front().earlier_rounds.empty());
  EXPECT_EQ(comparisons.front().k, 2u) << "the first stays charged";
  EXPECT_EQ(campaign.state().ledger[0].candidate, campaign.state().ledger[1].candidate);
  EXPECT_GT(lines_until(campaign, "comparison_abandoned"), 0u);
  EXPECT_TRUE(campaign.state().reserved.empty());
}

TEST(Pins, AnEditedContractStopsEvenWithRebaseline) {
  TapeCampaign campaign;
  goes_on(campaign, &TapeCampaign::script);
  TapeCampaign::write(campaign.task_folder() / "task.toml",
                      task::replaced(std::string(task::k_scale_toml), "a = 1.5", "a = 2.5"));
  for (const Pinning pinning : {Pinning::keep, Pinning::rebaseline}) {
    campaign.request.pinning = pinning;
    const auto report = campaign.script();
    ASSERT_FALSE(report);
    EXPECT_EQ(exit_code(report.error().code), 3);
    EXPECT_THAT(report.error().what, HasSubstr("edited"));
    EXPECT_THAT(report.error().why, HasSubstr("--rebaseline does not change that"));
    EXPECT_THAT(report.error().help, HasSubstr("-C NEW"));
  }
  EXPECT_EQ(campaign.state().sessions, 1u);
}

TEST(Pins, ABrokenContractIsAnEditToo) {
  TapeCampaign campaign;
  goes_on(campaign, &TapeCampaign::script);
  TapeCampaign::write(campaign.task_folder() / "task.toml", "not a task");
  EXPECT_EQ(campaign.script().error().code, ErrorCode::environment);
}

TEST(Pins, TheFileThatChangedIsNamed) {
  TapeCampaign campaign;
  goes_on(campaign, &TapeCampaign::script);
  const fs::path reference = campaign.task_folder() / "reference.cpp";
  const std::string before = read_file(reference).value_or("");
  TapeCampaign::write(reference, before + "// more\n");
  const auto edited = campaign.script();
  ASSERT_FALSE(edited);
  EXPECT_THAT(edited.error().what, HasSubstr("reference.cpp was edited"));
  TapeCampaign::write(reference, before);
  fs::remove(campaign.task_folder() / "kernel.cpp");
  const auto missing = campaign.script();
  ASSERT_FALSE(missing);
  EXPECT_THAT(to_text(missing.error()), HasSubstr("kernel.cpp"));
}

// A new log over an old store would not know what was proven.
TEST(Machine, ALogThatIsGoneIsNotBegunAnew) {
  TapeCampaign campaign;
  goes_on(campaign, &TapeCampaign::script);
  fs::remove(campaign.log());
  const auto report = campaign.script();
  ASSERT_FALSE(report);
  EXPECT_EQ(exit_code(report.error().code), 1);
  EXPECT_THAT(report.error().what, HasSubstr("gone or empty"));
  EXPECT_TRUE(read_file(campaign.log()).value_or("").empty()) << "nothing was written over it";
}

TEST(Pins, AnEditedKernelIsNoEditedContract) {
  TapeCampaign campaign;
  goes_on(campaign, &TapeCampaign::script);
  TapeCampaign::write(campaign.task_folder() / "kernel.cpp",
                      "extern \"C\" int scale(float a, const float* x, float* y, int n);  // edit\n");
  goes_on(campaign, &TapeCampaign::manual);
  EXPECT_EQ(campaign.state().experiments.size(), 6u);
}

// ---- the machine
// ------------------------------------------------------------------------------------------------------------------

TEST(Machine, ASecondHoneIsToldWhoHoldsTheCampaign) {
  TapeCampaign campaign;
  Disk disk;
  ASSERT_TRUE(disk.make_directories(campaign.folder()));
  const auto held = record::Lock::take(disk, campaign.folder() / "lock",
                                       record::note_for("hone run elsewhere", SystemClock()), "here");
  ASSERT_TRUE(held);
  const auto report = campaign.script();
  ASSERT_FALSE(report);
  EXPECT_EQ(exit_code(report.error().code), 3);
  EXPECT_THAT(to_text(report.error()), HasSubstr("hone run elsewhere"));
  EXPECT_FALSE(fs::exists(campaign.log()));
}

TEST(Machine, AFullDiskLeavesAValidLogAndTheNextRunGoesOn) {
  TapeCampaign whole;
  goes_on(whole, &TapeCampaign::script);
  const std::string expected = outcome_of(whole.state());
  hone::testing::FaultyDisk counting;
  TapeCampaign counted;
  counted.disk = &counting;
  goes_on(counted, &TapeCampaign::script);
  for (uint64_t at = 1; at < counting.operations; at += counting.operations / 23 + 1) {
    TapeCampaign campaign;
    hone::testing::FaultyDisk full;
    full.fail_from = at;
    full.error_number = ENOSPC;
    full.fail_until = UINT64_MAX;
    campaign.disk = &full;
    const auto report = campaign.script();
    ASSERT_FALSE(report) << at;
    EXPECT_EQ(exit_code(report.error().code), 5) << at << ": " << to_text(report.error());
    campaign.disk = &campaign.own_disk;
    goes_on(campaign, &TapeCampaign::script);
    EXPECT_EQ(outcome_of(campaign.state()), expected) << "full at operation " << at;
  }
}

TEST(Machine, ViewsAreRebuiltByteForByte) {
  TapeCampaign campaign;
  goes_on(campaign, &TapeCampaign::script);
  const auto read = [&] {
    std::map<std::string, std::string> texts;
    for (const char* folder : {"experiments", "memory", "reports", "v0", "v1"}) {
      if (!fs::exists(campaign.folder() / folder)) continue;
      for (const fs::path& file : list_files(campaign.folder() / folder).value_or(std::vector<fs::path>()))
        texts[(fs::path(folder) / file).string()] = read_file(campaign.folder() / folder / file).value_or("");
    }
    return texts;
  };
  const auto before = read();
  ASSERT_TRUE(before.contains("experiments/README.md"));
  for (const auto& [name, text] : before) fs::remove(campaign.folder() / name);
  const campaign::State state = campaign.state();
  const auto task = read_contract(campaign.folder(), state);
  ASSERT_TRUE(task);
  const auto files =
      views::make_views(state, *task, [&](const Digest& digest) { return read_blob(campaign.folder(), digest.hex()); });
  ASSERT_TRUE(files);
  ASSERT_TRUE(views::write_views(campaign.own_disk, campaign.folder(), *files));
  EXPECT_EQ(read(), before);
}

}  // namespace
}  // namespace hone::loop
