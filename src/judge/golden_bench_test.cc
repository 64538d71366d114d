// A task whose oracle is golden files, on a device without processes: verification by the files, timed contents by v0.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/device_bench.h"
#include "judge/testing/fake_device.h"
#include "judge/testing/golden_task.h"

namespace hone::judge {
namespace {

using campaign::Outcome;
using testing::HasSubstr;

constexpr size_t k_x = 1, k_y = 2;

bool is_golden(const FakeLaunch& launch) { return launch.plan.plans[k_x].fill.kind == task::FillKind::file; }

// Ten times on golden inputs, `factor` times on all others.
Behaviour times(float factor) {
  return [factor](FakeLaunch& launch) {
    for (size_t i = 0; i < launch.count(k_y); ++i)
      launch.floats(k_y)[i] = (is_golden(launch) ? 10.0f : factor) * launch.floats(k_x)[i];
  };
}

class GoldenBench : public testing::Test {
 protected:
  GoldenBench() {
    auto files = task::scale_files();
    files["task.toml"] = golden_toml();
    files.merge(golden_files());
    folder_.emplace(files);
    task_ = *folder_->read().task;
    job_.baseline = CandidateText{{{"kernel.cpp", false, "V"}}, {}, {}};
    device_.behaviours = {{"A", times(3)}, {"B", times(3)}, {"V", times(3)}};
    bench_ = *DeviceBench::make(task_, job_, device_);
    for (const auto& [arm, text] : {std::pair{ArmName::incumbent, "A"}, {ArmName::candidate, "B"}})
      EXPECT_TRUE(bench_->build(arm, to_candidate({{{"kernel.cpp", false, text}}, {}, {}})));
  }
  std::optional<Failure> verify(ArmName arm) { return bench_->verify(arm, 0, 20)->failure; }

  std::optional<task::TaskFolder> folder_;
  task::Task task_;
  JudgingJob job_;
  FakeDevice device_;
  std::unique_ptr<DeviceBench> bench_;
};

TEST_F(GoldenBench, VerificationIsByTheFiles) {
  EXPECT_FALSE(verify(ArmName::candidate));
  device_.behaviours["B"] = [](FakeLaunch& launch) {
    for (size_t i = 0; i < launch.count(k_y); ++i) launch.floats(k_y)[i] = 3.0f * launch.floats(k_x)[i];
  };
  const auto failure = verify(ArmName::candidate);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->outcome, Outcome::incorrect_numerical);
  EXPECT_EQ(failure->mismatch->expected, "40") << "the largest of the errors";
}

TEST_F(GoldenBench, TimedContentsAreMadeAnewAndJudgedByV0) {
  ASSERT_FALSE(verify(ArmName::incumbent));
  ASSERT_FALSE(verify(ArmName::candidate));
  device_.log.staged.clear();
  RoundAnswer answer = *bench_->round({"stage1", 0});
  EXPECT_TRUE(answer.record);
  EXPECT_GE(answer.oracle_checks, 4u);
  device_.behaviours["B"] = times(3.1f);
  answer = *bench_->round({"stage1", 1});
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->outcome, Outcome::incorrect_numerical);
  EXPECT_EQ(answer.failure->arm, ArmName::candidate);
}

TEST_F(GoldenBench, NoTimedLaunchSeesAGoldenContent) {
  ASSERT_FALSE(verify(ArmName::incumbent));
  ASSERT_FALSE(verify(ArmName::candidate));
  size_t golden = 0;
  device_.behaviours["A"] = device_.behaviours["B"] = [&](FakeLaunch& launch) {
    golden += is_golden(launch) ? 1 : 0;
    times(3)(launch);
  };
  ASSERT_TRUE((*bench_->round({"stage1", 0})).record);
  EXPECT_EQ(golden, 0u);
}

TEST_F(GoldenBench, TheReportSaysSo) {
  ASSERT_FALSE(bench_->report().notes.empty());
  EXPECT_THAT(bench_->report().notes.front(), HasSubstr("judged against v0"));
}

// The files can be known by heart, whatever the case is for.
TEST_F(GoldenBench, WhoKnowsTheFilesAloneIsWrong) {
  device_.behaviours["B"] = [](FakeLaunch& launch) {
    for (size_t i = 0; i < launch.count(k_y); ++i)
      launch.floats(k_y)[i] = is_golden(launch) ? 10.0f * launch.floats(k_x)[i] : 0.0f;
  };
  for (task::Case& one : task_.cases) one.use = {task::Purpose::verify};
  bench_ = *DeviceBench::make(task_, job_, device_);
  ASSERT_FALSE(*bench_->build(ArmName::candidate, to_candidate({{{"kernel.cpp", false, "B"}}, {}, {}})));
  const auto failure = verify(ArmName::candidate);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->outcome, Outcome::incorrect_numerical);
}

TEST_F(GoldenBench, HiddenNeighboursAreJudgedByV0) {
  EXPECT_FALSE(verify(ArmName::candidate));
  std::set<int64_t> shapes;
  for (const Staged& staged : device_.log.staged) shapes.insert(std::get<int64_t>(staged.scalars[3]));
  EXPECT_GT(shapes.size(), 1u);
}

}  // namespace
}  // namespace hone::judge
