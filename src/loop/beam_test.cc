// Parking: a structurally right change that first loses a little is kept, built upon, and given up when its time is
// over.
#include <gmock/gmock.h>

#include "loop/testing/tape_campaign.h"

namespace hone::loop {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::k_device_line;
using testing::TapeCampaign;

// Alone ITEMS = 8 loses 2 %; with BLOCK = 64 on top of it, which alone is worth nothing, it wins 40 %.
std::string tape_of(double together_ns) {
  return std::string(k_device_line) + "{\"candidate\":\"*\",\"times_ns\":[[8000]],\"noise\":0.002}\n" +
         "{\"options\":[\"O3\"],\"times_ns\":[[9000]],\"noise\":0.002}\n" +
         "{\"values\":{\"BLOCK\":\"64\"},\"times_ns\":[[8500]],\"noise\":0.002}\n" +
         "{\"values\":{\"BLOCK\":\"256\"},\"times_ns\":[[8500]],\"noise\":0.002}\n" +
         "{\"values\":{\"ITEMS\":\"2\"},\"times_ns\":[[8500]],\"noise\":0.002}\n" +
         "{\"values\":{\"ITEMS\":\"8\"},\"times_ns\":[[8160]],\"noise\":0.002}\n" +
         fmt::format("{{\"values\":{{\"ITEMS\":\"8\"}},\"options\":[\"O3\"],\"times_ns\":[[{}]],\"noise\":0.002}}\n",
                     together_ns);
}

class Beam : public ::testing::Test {
 protected:
  void tune(double together_ns) {
    campaign_.write_tape(tape_of(together_ns));
    campaign_.request.iterations = IterationLimit{IterationLimit::Kind::unlimited, 0};
    const auto report = campaign_.tune();
    ASSERT_TRUE(report) << to_text(report.error());
  }
  const campaign::Experiment* parked() {
    state_ = campaign_.state();
    for (const campaign::Experiment& one : state_.experiments) {
      if (one.parked) return &one;
    }
    return nullptr;
  }
  TapeCampaign campaign_;
  campaign::State state_;
};

TEST_F(Beam, AParkedChangeWinsWithAnotherOnTopOfIt) {
  tune(5000);
  const campaign::Experiment* branch = parked();
  ASSERT_NE(branch, nullptr);
  EXPECT_EQ(branch->started.tier, 2);
  EXPECT_EQ(branch->unparked, "built upon");
  const auto& best = state_.candidates.at(state_.incumbent()->candidate);
  EXPECT_EQ(best.values.at("ITEMS"), "8");
  EXPECT_THAT(best.options, Contains("O3"));
  EXPECT_TRUE(state_.parked.empty());
}

TEST_F(Beam, TheReasonIsRecordedAndShown) {
  tune(5000);
  const campaign::Experiment* branch = parked();
  ASSERT_NE(branch, nullptr);
  EXPECT_THAT(branch->parked->reason, HasSubstr("loses 2"));
  EXPECT_THAT(branch->parked->enables, HasSubstr("tiers 1, 3, 4, 5"));
  EXPECT_FALSE(branch->parked->expected_gain.has_value()) << "a tape has no floor";
  const std::string log = read_file(campaign_.folder() / "experiments/README.md").value_or("");
  EXPECT_THAT(log, HasSubstr("parked: loses 2"));
}

TEST_F(Beam, ABranchThatNothingHelpsExpires) {
  tune(8200);
  const campaign::Experiment* branch = parked();
  ASSERT_NE(branch, nullptr);
  EXPECT_EQ(branch->unparked, "expired");
  EXPECT_EQ(state_.incumbent_version, 0u);
  size_t tries = 0;
  for (const campaign::Experiment& one : state_.experiments)
    tries += one.started.parent == branch->parked->candidate ? 1 : 0;
  EXPECT_GE(tries, 2u) << "it was built upon before it expired";
  EXPECT_LE(tries, 3u);
}

TEST_F(Beam, WhatWasParkedIsNotSearchedInItsOwnTierAgain) {
  tune(8200);
  const campaign::Experiment* branch = parked();
  ASSERT_NE(branch, nullptr);
  for (const campaign::Experiment& one : state_.experiments) {
    const bool same = one.started.parent == branch->parked->candidate && one.started.group == branch->started.group;
    EXPECT_FALSE(same) << one.started.experiment;
  }
}

TEST_F(Beam, ACompileOptionIsNoStructure) {
  campaign_.write_tape(
      std::string(k_device_line) +
      "{\"candidate\":\"*\",\"times_ns\":[[8000]]}\n"
      "{\"values\":{\"ITEMS\":\"2\"},\"times_ns\":[[9000]]}\n{\"values\":{\"ITEMS\":\"8\"},\"times_ns\":[[9000]]}\n");
  campaign_.request.iterations = IterationLimit{IterationLimit::Kind::unlimited, 0};
  ASSERT_TRUE(campaign_.tune());
  EXPECT_EQ(parked(), nullptr) << "options that change nothing would fill the beam";
  EXPECT_GT(state_.experiments.size(), 3u);
}

TEST_F(Beam, WhatSomebodyWroteIsNotParked) {
  campaign_.write_tape(tape_of(5000));
  campaign_.write_script(
      "{\"tier\":2,\"change\":\"8\",\"values\":{\"ITEMS\":\"8\"}}\n{\"tier\":3,\"change\":\"O3\",\"options\":[\"O3\"]}"
      "\n");
  ASSERT_TRUE(campaign_.script());
  EXPECT_EQ(parked(), nullptr);
  EXPECT_EQ(state_.experiments[1].started.parent, state_.versions[0].candidate) << "a line starts from the best";
}

}  // namespace
}  // namespace hone::loop
