// What the selftest makes of answers, without a device: plan, journal and summary.
#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "stats/simulate.h"
#include "surface/selftest/journal.h"
#include "surface/selftest/summary.h"
#include "surface/selftest/task.h"
#include "task/read.h"

namespace hone::cli {
namespace {

using task::Language;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// ---- the plan ----

TEST(Plan, TheLongOneIsTheReleaseGate) {
  std::map<Family, uint64_t> counts;
  std::set<std::pair<uint64_t, uint64_t>> builds;
  for (const Trial& trial : plan(k_long_sizes)) {
    ++counts[trial.family];
    if (trial.family == Family::renamed) builds.insert({trial.incumbent_build, trial.candidate_build});
    if (trial.family == Family::exact) {
      EXPECT_EQ(trial.incumbent_build, trial.candidate_build);
    }
  }
  EXPECT_EQ(counts[Family::exact], 300u);
  EXPECT_EQ(counts[Family::renamed], 300u);
  EXPECT_EQ(counts[Family::loaded], 50u);
  EXPECT_EQ(counts[Family::ladder], 80u);
  EXPECT_EQ(builds.size(), 20u);
}

TEST(Plan, EveryBuildIsAnotherText) {
  const std::string kernel = "#include <cstdint>\n\nint f();\n";
  std::set<std::string> texts;
  for (uint64_t i = 0; i < 40; ++i) texts.insert(build_of(kernel, i, Language::cpp));
  EXPECT_EQ(texts.size(), 40u);
  EXPECT_EQ(build_of(kernel, 0, Language::cpp), kernel);
  EXPECT_THAT(build_of(kernel, 1, Language::cpp), testing::StartsWith("#include <cstdint>\n\nextern"));
  EXPECT_THAT(build_of(kernel, 2, Language::cpp), testing::StartsWith(kernel));
}

judge::RoundRecord round_of(const std::vector<std::string>& orders, std::vector<std::vector<double>> logs) {
  judge::CaseSamples samples;
  samples.orders = orders;
  for (std::vector<double>& quad : logs) {
    for (double& one : quad) one = std::exp(one);
  }
  samples.times_ns = std::move(logs);
  judge::RoundRecord round;
  round.cases = {samples};
  return round;
}

void expect_near(const std::vector<double>& left, const std::vector<double>& expected) {
  ASSERT_EQ(left.size(), expected.size());
  for (size_t i = 0; i < left.size(); ++i) EXPECT_NEAR(left[i], expected[i], 1e-12) << i;
}

// A at 1 and B at 2; the first launch of all took longer.
TEST(Residuals, AreWhatIsLeftOfEachArm) {
  const double mean = 0.5 / 4;
  expect_near(residuals(round_of({"ABBA", "ABBA"}, {{1.5, 2, 2, 1}, {1, 2, 2, 1}})),
              {0.5 - mean, 0, 0, -mean, -mean, 0, 0, -mean});
}

TEST(Residuals, LeaveOutWhatBothArmsMeetAtAPlaceWhereTheCoinPutThem) {
  const double late = 0.25;
  expect_near(residuals(round_of({"ABBA", "BAAB"}, {{1, 2, 2 + late, 1}, {2, 1, 1 + late, 2}})),
              std::vector<double>(8, 0.0));
  // With one arm always at the inner places it cannot be told from the arm, and stays.
  const auto fixed = residuals(round_of({"ABBA", "ABBA"}, {{1, 2, 2 + late, 1}, {1, 2, 2 + late, 1}}));
  expect_near(fixed, {0, -late / 2, late / 2, 0, 0, -late / 2, late / 2, 0});
}

// ---- the task ----

TEST(SelftestTask, IsASoundContractInTheLanguageOfEveryDevice) {
  for (const Language language : {Language::cpp, Language::cuda, Language::hip, Language::opencl}) {
    const TemporaryFolder folder = *TemporaryFolder::make("/tmp", "hone-selftest-task-");
    Disk disk;
    ASSERT_TRUE(write_selftest_task(disk, folder.path(), language, std::chrono::microseconds(40)));
    const auto task = task::require_task(folder.path());
    ASSERT_TRUE(task) << to_text(task.error());
    EXPECT_EQ(task->kernel.language, language);
    EXPECT_TRUE(task::supported_here(*task));
    const auto longer = *TemporaryFolder::make("/tmp", "hone-selftest-task-");
    ASSERT_TRUE(write_selftest_task(disk, longer.path(), language, std::chrono::microseconds(400)));
    EXPECT_NE(task::require_task(longer.path())->digest, task->digest);
  }
}

// ---- the journal ----

const JournalHead k_head{.judge_version = "judge/2", .device_key = "d", .task_digest = "t"};

class JournalTest : public testing::Test {
 protected:
  TemporaryFolder folder_ = *TemporaryFolder::make("/tmp", "hone-journal-");
  fs::path path_ = folder_.path() / "below" / "journal.jsonl";
  Disk disk_;

  Result<Journal> open(const JournalHead& head = k_head) { return Journal::open(disk_, path_, head); }
  static TrialRecord record(uint64_t index) {
    TrialRecord record;
    record.index = index;
    record.outcome = "NOT_FASTER";
    record.stage1_gains = {0.001, -0.002};
    return record;
  }
};

TEST_F(JournalTest, IsKeptInAPlainFileAlone) {
  for (const fs::path& path : {fs::path("/dev/null"), folder_.path()}) {
    const auto opened = Journal::open(disk_, path, k_head);
    ASSERT_FALSE(opened) << path;
    EXPECT_EQ(opened.error().code, ErrorCode::usage);
    EXPECT_FALSE(opened.error().help.empty());
  }
}

TEST_F(JournalTest, KeepsEveryAnswer) {
  {
    auto journal = open();
    ASSERT_TRUE(journal) << to_text(journal.error());
    ASSERT_TRUE(journal->append(record(3)));
    EXPECT_TRUE(journal->has({.index = 3}));
  }
  const auto again = open();
  ASSERT_TRUE(again) << to_text(again.error());
  ASSERT_EQ(again->records().size(), 1u);
  EXPECT_THAT(again->records()[0].stage1_gains, ElementsAre(0.001, -0.002));
  EXPECT_TRUE(again->has({.index = 3}));
  EXPECT_FALSE(again->has({.index = 4}));
  EXPECT_FALSE(again->has({.family = Family::renamed, .index = 3}));
}

TEST_F(JournalTest, ALineThatWasNeverFinishedIsDropped) {
  { ASSERT_TRUE(open()->append(record(1))); }
  const std::string whole = *read_file(path_);
  for (const std::string& torn : {whole + "{\"family\":\"exa", whole.substr(0, 20)}) {
    ASSERT_TRUE(write_file(disk_, path_, torn));
    auto journal = open();
    ASSERT_TRUE(journal) << to_text(journal.error());
    const size_t kept = torn.size() > whole.size() ? 1 : 0;
    EXPECT_EQ(journal->records().size(), kept);
    ASSERT_TRUE(journal->append(record(2)));
    EXPECT_EQ(open()->records().size(), kept + 1);
  }
}

TEST_F(JournalTest, AnswersOfAnotherMachineDoNotCount) {
  ASSERT_TRUE(open());
  JournalHead other = k_head;
  other.device_key = "e";
  const auto journal = open(other);
  ASSERT_FALSE(journal);
  EXPECT_EQ(journal.error().code, ErrorCode::environment);
}

TEST_F(JournalTest, AFileOfSomebodyElseIsNotTouched) {
  ASSERT_TRUE(disk_.make_directories(path_.parent_path()));
  const std::string ours = json::to_text(k_head);
  for (const std::string& text :
       {std::string("my letters\n"), std::string("my only copy of something"),
        std::string("{\"k\":1}\nsecond line\nthird without newline"), std::string("\n"), std::string("\nmy letters"),
        ours + " and my letters", ours + "\nmy letters\n", ours + "\nmy letters\nmore", ours.substr(0, 20) + "x"}) {
    ASSERT_TRUE(write_file(disk_, path_, text));
    const auto journal = open();
    ASSERT_FALSE(journal) << text;
    EXPECT_EQ(journal.error().code, ErrorCode::contract) << text;
    EXPECT_EQ(*read_file(path_), text);
  }
}

TEST_F(JournalTest, AnUnfinishedJournalOfAnotherMachineIsNotTouched) {
  JournalHead other = k_head;
  other.device_key = "e";
  ASSERT_TRUE(disk_.make_directories(path_.parent_path()));
  const std::string text = json::to_text(other) + "\n{\"family\":\"exa";
  ASSERT_TRUE(write_file(disk_, path_, text));
  EXPECT_EQ(open().error().code, ErrorCode::environment);
  EXPECT_EQ(*read_file(path_), text);
}

TEST_F(JournalTest, OfTwoAnswersToOneTrialTheFirstCounts) {
  { ASSERT_TRUE(open()->append(record(1))); }
  TrialRecord second = record(1);
  second.outcome = "FASTER";
  const std::string twice = *read_file(path_) + json::to_text(second) + "\n" + json::to_text(record(2)) + "\n";
  ASSERT_TRUE(write_file(disk_, path_, twice));
  const auto journal = open();
  ASSERT_TRUE(journal) << to_text(journal.error());
  ASSERT_EQ(journal->records().size(), 2u);
  EXPECT_EQ(journal->records()[0].outcome, "NOT_FASTER");
  EXPECT_EQ(journal->records()[1].index, 2u);
  EXPECT_EQ(*read_file(path_), twice) << "what is there stays";
}

// ---- the summary ----

// Records as an honest machine gives them: round gains are noise, answers are what the rule says.
class SummaryTest : public testing::Test {
 protected:
  stats::Random random_{7};
  std::vector<TrialRecord> records_;

  TrialRecord& add(Family family, uint64_t index, const std::string& outcome, double gain, double sd = 0.002) {
    TrialRecord record;
    record.family = family;
    record.index = index;
    record.outcome = outcome;
    record.gain = gain;
    for (int i = 0; i < 12; ++i) record.stage1_gains.push_back(gain + sd * random_.normal());
    record.periodic_mean = 1e-4;
    record.periodic_p = 0.4;
    return records_.emplace_back(std::move(record));
  }
  void honest_machine() {
    for (uint64_t i = 0; i < 300; ++i) add(Family::exact, i, "NOT_FASTER", 0);
    for (uint64_t i = 0; i < 300; ++i) add(Family::renamed, i, "NOT_FASTER", 0);
    for (uint64_t i = 0; i < 50; ++i) add(Family::loaded, i, "INCONCLUSIVE", 0, 0.1);
    for (uint64_t i = 0; i < 80; ++i) {
      const double gain = std::log1p(k_ladder[i % 4] / 1000.0);
      add(Family::ladder, i, i % 4 >= 2 ? "FASTER" : i % 4 == 1 ? "INCONCLUSIVE" : "NOT_FASTER", gain);
    }
    for (uint64_t i = 0; i < 20; ++i) add(Family::swapped, i, "NOT_FASTER", -0.05);
  }
  SelftestDocument document() const { return summarise(records_); }
};

TEST_F(SummaryTest, AnHonestMachinePasses) {
  honest_machine();
  const SelftestDocument d = document();
  EXPECT_THAT(d.faults, IsEmpty());
  EXPECT_TRUE(d.passed);
  EXPECT_EQ(d.identical_runs, 650u);
  ASSERT_EQ(d.families.size(), 3u);
  EXPECT_NEAR(d.families[0].rate_bound, 0.00994, 1e-4);
  EXPECT_NEAR(d.families[2].rate_bound, 0.0582, 1e-4);
  EXPECT_NEAR(d.round_noise, 0.002, 1e-4) << "rounds under load are not the machine's noise";
  ASSERT_TRUE(d.single_look);
  EXPECT_EQ(d.single_look->comparisons, 300u);
  EXPECT_EQ(d.single_look->least, 4u);
  EXPECT_EQ(d.single_look->most, 28u);
  EXPECT_THAT(to_text(d), HasSubstr("20 of 20 promoted, measured +2.00 %"));
}

TEST_F(SummaryTest, OnePromotionOfIdenticalKernelsIsAFault) {
  honest_machine();
  records_[620].outcome = "FASTER";
  const SelftestDocument d = document();
  EXPECT_FALSE(d.passed);
  EXPECT_THAT(d.faults, ElementsAre("1 of 650 identical kernels promoted"));
}

TEST_F(SummaryTest, AShiftOfExactCopiesShowsInASingleLook) {
  honest_machine();
  for (TrialRecord& record : records_) {
    if (record.family != Family::exact) continue;
    for (double& gain : record.stage1_gains) gain += 0.001;
  }
  EXPECT_THAT(document().faults, testing::Contains(HasSubstr("p below 0.05 in")));
}

TEST_F(SummaryTest, RoundsThatAgreeTooWellDoNotFollowTheLaw) {
  honest_machine();
  for (TrialRecord& record : records_) {
    if (record.family != Family::exact) continue;
    for (size_t i = 0; i < 12; ++i) record.stage1_gains[i] = (i % 2 == 0 ? 1 : -1) * 1e-4 * static_cast<double>(i + 1);
  }
  EXPECT_THAT(document().faults, testing::Contains(HasSubstr("exact law")));
}

TEST_F(SummaryTest, ALadderThatDoesNotClimbIsAFault) {
  honest_machine();
  for (TrialRecord& record : records_) {
    if (record.family == Family::ladder && record.index % 4 == 2) record.outcome = "INCONCLUSIVE";
  }
  EXPECT_THAT(document().faults, ElementsAre(HasSubstr("a gain of 2.0 % was promoted 0 of 20 times")));
}

TEST_F(SummaryTest, AGainBelowTheLeastIsNeverPromoted) {
  honest_machine();
  for (TrialRecord& record : records_) {
    if (record.family == Family::ladder && record.index == 0) record.outcome = "FASTER";
  }
  EXPECT_THAT(document().faults, ElementsAre(HasSubstr("a gain of 0.5 % was promoted 1 of 20 times")));
}

TEST_F(SummaryTest, SaysWhatAnswersCost) {
  honest_machine();
  EXPECT_FALSE(document().cost);
  for (size_t i = 0; i < 4; ++i) {
    records_[i].kernel_seconds = 40e-6;
    records_[i].device_seconds = static_cast<double>(i + 1);
    records_[i].step_seconds = {{"stage", 1.0}, {"launch", 3.0}};
  }
  records_[3].outcome = "FASTER";
  const auto cost = document().cost;
  ASSERT_TRUE(cost);
  EXPECT_DOUBLE_EQ(cost->kernel_seconds, 40e-6);
  EXPECT_DOUBLE_EQ(*cost->rejection_seconds, 2);
  EXPECT_DOUBLE_EQ(*cost->promotion_seconds, 4);
  EXPECT_DOUBLE_EQ(cost->step_shares.at("launch"), 0.75);
}

TEST_F(SummaryTest, LabelsMustMirror) {
  honest_machine();
  records_.back().outcome = "FASTER";
  EXPECT_THAT(document().faults, ElementsAre("exchanged labels do not mirror the answer"));
}

TEST_F(SummaryTest, APlaceInTheScheduleMayNotMatter) {
  honest_machine();
  for (size_t i = 0; i < 100; ++i) {
    records_[i].periodic_mean = 0.004;
    records_[i].periodic_p = 0.001;
  }
  EXPECT_THAT(document().faults, ElementsAre(HasSubstr("place in the schedule in 100 of 700")));
  for (size_t i = 0; i < 100; ++i) records_[i].periodic_mean = 0.0004;
  EXPECT_THAT(document().faults, IsEmpty()) << "a precise trifle is none";
}

TEST_F(SummaryTest, AShortRunSaysWhatItCould) {
  for (uint64_t i = 0; i < 5; ++i) add(Family::exact, i, "NOT_FASTER", 0);
  for (uint64_t i = 0; i < 4; ++i)
    add(Family::ladder, i, i >= 2 ? "FASTER" : "NOT_FASTER", std::log1p(k_ladder[i] / 1000.0));
  add(Family::swapped, 0, "NOT_FASTER", -0.05);
  const SelftestDocument d = document();
  EXPECT_TRUE(d.passed) << to_text(d);
  EXPECT_FALSE(d.single_look) << "five comparisons say nothing about a law";
  EXPECT_THAT(to_text(d), HasSubstr("ladder 2.0 %: FASTER"));
}

}  // namespace
}  // namespace hone::cli
