#include "judge/content.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "judge/oracle.h"
#include "judge/testing/golden_task.h"

namespace hone::judge {
namespace {

using device::Distribution;

class Content : public testing::Test {
 protected:
  void open(const std::string& toml, std::map<std::string, std::string> more = {}) {
    auto files = task::scale_files();
    files["task.toml"] = toml;
    files.merge(more);
    folder_.emplace(files);
    task::ReadTask read = folder_->read();
    for (const Error& error : read.diagnostics.errors) ADD_FAILURE() << to_text(error);
    task_ = std::move(read.task);
  }
  CaseContent content(size_t index = 0, ContentSource source = ContentSource::fills) {
    return *CaseContent::make(*task_, *task::bind_case(*task_, task_->cases[index]), source);
  }
  static std::string with_fill(const std::string& fill) {
    return task::replaced(std::string(task::k_scale_toml), "fill = { kind = \"normal\", mean = 0.0, std = 1.0 }", fill);
  }
  static std::vector<float> floats(const std::vector<std::byte>& bytes) {
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::optional<task::TaskFolder> folder_;
  std::optional<task::Task> task_;
};

TEST_F(Content, FollowsTheSubKeyAlone) {
  open(std::string(task::k_scale_toml));
  const CaseContent one = content();
  EXPECT_EQ(one.input_bytes(sha256("a"), Distribution::contract), one.input_bytes(sha256("a"), Distribution::contract));
  EXPECT_NE(one.input_bytes(sha256("a"), Distribution::contract), one.input_bytes(sha256("b"), Distribution::contract));
  EXPECT_NE(one.input_bytes(sha256("a"), Distribution::contract), one.input_bytes(sha256("a"), Distribution::sparse));
}

TEST_F(Content, NudgedIsOffByTheFractionUpAndDown) {
  open(std::string(task::k_scale_toml));
  const CaseContent one = content();
  const auto before = floats(one.input_bytes(sha256("a"), Distribution::alternating)[1]);
  const auto after = floats(
      one.nudged(sha256("a"), Distribution::alternating, 0x1p-10).input_bytes(sha256("b"), Distribution::contract)[1]);
  ASSERT_EQ(after.size(), before.size());
  size_t up = 0;
  for (size_t i = 0; i < after.size(); ++i) {
    const float off = after[i] / before[i] - 1;
    EXPECT_NEAR(std::abs(off), 0x1p-10f, 0x1p-20f) << i;
    up += off > 0 ? 1 : 0;
  }
  EXPECT_GT(up, after.size() / 3);
  EXPECT_LT(up, after.size() * 2 / 3);
}

TEST_F(Content, HasBytesForInputsAlone) {
  open(std::string(task::k_scale_toml));
  const auto inputs = content().input_bytes(sha256("a"), Distribution::contract);
  ASSERT_EQ(inputs.size(), 4u);
  EXPECT_EQ(inputs[1].size(), 1023 * sizeof(float));
  for (const size_t other : {0u, 2u, 3u}) EXPECT_TRUE(inputs[other].empty());
}

TEST_F(Content, WhatTheDeviceStagesIsWhatTheOracleGets) {
  open(std::string(task::k_scale_toml));
  const CaseContent one = content();
  for (const Distribution distribution : {Distribution::contract, Distribution::alternating}) {
    const device::StagePlan plan = one.stage_plan(sha256("a"), distribution, device::CacheState::cold);
    std::vector<std::byte> staged(plan.plans[1].count * sizeof(float));
    device::fill(staged, plan.plans[1], plan.sub_key, 1);
    EXPECT_EQ(staged, one.input_bytes(sha256("a"), distribution)[1]);
    EXPECT_EQ(plan.cache, device::CacheState::cold);
    EXPECT_EQ(std::get<int64_t>(plan.scalars[3]), 1023);
    EXPECT_EQ(std::get<double>(plan.scalars[0]), -0.5);
  }
}

TEST_F(Content, AConstantStaysWhateverTheDistribution) {
  open(with_fill("fill = { kind = \"constant\", value = 2.5 }"));
  const CaseContent one = content();
  EXPECT_FALSE(one.has_free_inputs());
  for (const float value : floats(one.input_bytes(sha256("a"), Distribution::heavy_tail)[1])) ASSERT_EQ(value, 2.5f);
}

TEST_F(Content, AFormulaIsEvaluatedForEveryElement) {
  open(with_fill("fill = { kind = \"formula\", formula = \"i % 7 + n\" }"));
  const auto values = floats(content().input_bytes(sha256("a"), Distribution::contract)[1]);
  EXPECT_EQ(values[0], 1023.0f);
  EXPECT_EQ(values[8], 1024.0f);
}

TEST_F(Content, RandomFillsAreFree) {
  open(std::string(task::k_scale_toml));
  EXPECT_TRUE(content().has_free_inputs());
}

TEST_F(Content, OfAGoldenCaseComesFromItsFiles) {
  open(golden_toml(), golden_files());
  const CaseContent golden = content(1, ContentSource::golden);
  EXPECT_EQ(floats(golden.input_bytes(sha256("a"), Distribution::contract)[1]), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(golden.input_bytes(sha256("a"), Distribution::contract),
            golden.input_bytes(sha256("b"), Distribution::sparse));
  EXPECT_FALSE(golden.has_free_inputs());
}

TEST_F(Content, OfATimedLaunchIsMadeAnewEvenBesideGoldenFiles) {
  open(golden_toml(), golden_files());
  const CaseContent timed = content(1, ContentSource::fills);
  EXPECT_NE(timed.input_bytes(sha256("a"), Distribution::contract),
            timed.input_bytes(sha256("b"), Distribution::contract));
  EXPECT_TRUE(timed.has_free_inputs());
}

TEST_F(Content, AMissingOrWrongFileIsAnError) {
  open(golden_toml(), golden_files());
  fs::remove(folder_->path() / "truth/odd/x.bin");
  const auto bound = *task::bind_case(*task_, task_->cases[0]);
  EXPECT_FALSE(CaseContent::make(*task_, bound, ContentSource::golden));
  folder_->write("truth/odd/x.bin", "123");
  const auto wrong = CaseContent::make(*task_, bound, ContentSource::golden);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::contract);
  folder_->write("truth/odd/x.bin", bytes_of_floats({1, 2, 3, 4, 5}));
  EXPECT_FALSE(CaseContent::make(*task_, bound, ContentSource::golden)) << "one element too many";
}

TEST_F(Content, IntegersKeepTheContractsFillWhateverTheDistribution) {
  std::string toml = with_fill("fill = { kind = \"integers\", low = 0, high = 9 }");
  toml = task::replaced(toml, "name = \"x\"\nrole = \"in\"\ndtype = \"f32\"",
                        "name = \"x\"\nrole = \"in\"\ndtype = \"i32\"");
  open(toml);
  const CaseContent one = content();
  EXPECT_EQ(one.input_bytes(sha256("a"), Distribution::contract),
            one.input_bytes(sha256("a"), Distribution::all_equal));
  EXPECT_FALSE(one.has_free_inputs()) << "they may be indices";
}

TEST_F(Content, TheLayoutHoldsTheLargestOfTheCases) {
  open(std::string(task::k_scale_toml));
  const CaseContent small = content(0), large = content(1);
  const auto layout = parameter_layout(*task_, {&small, &large});
  ASSERT_EQ(layout.size(), 4u);
  EXPECT_FALSE(layout[0].is_buffer());
  EXPECT_EQ(layout[1].capacity_bytes, 4'000'000u);
  EXPECT_EQ(parameter_layout(*task_, {&large, &small})[1].capacity_bytes, 4'000'000u) << "in either order";
  EXPECT_FALSE(layout[1].written);
  EXPECT_TRUE(layout[2].written);
  EXPECT_EQ(parameter_layout(*task_, {&small})[1].capacity_bytes, 4092u);
}

// ---- the golden oracle, over the same folders
// -----------------------------------------------------------------------------------------------

class Golden : public Content {
 protected:
  OracleAnswer ask(size_t index = 0) {
    const auto oracle = make_golden_oracle(*task_);
    return *oracle->truth(content(index, ContentSource::golden), {});
  }
};

TEST_F(Golden, AnswersWithTheFileOfTheOutput) {
  open(golden_toml(), golden_files());
  const OracleAnswer answer = ask();
  EXPECT_FALSE(answer.fault);
  ASSERT_EQ(answer.truths.size(), 1u);
  EXPECT_EQ(answer.truths[0].values, (std::vector<double>{10, 20, 30, 40}));
  EXPECT_TRUE(answer.truths[0].magnitudes.empty());
}

TEST_F(Golden, OfAnInoutArgumentAnswersWithItsExpectedFile) {
  auto files = golden_files();
  for (const char* one : {"odd", "large"})
    files[std::string("truth/") + one + "/y.expected.bin"] = bytes_of_floats({7, 7, 7, 8});
  open(task::replaced(golden_toml(), "role = \"out\"", "role = \"inout\""), files);
  EXPECT_EQ(ask().truths[0].values, (std::vector<double>{7, 7, 7, 8}));
  EXPECT_EQ(floats(content(0, ContentSource::golden).input_bytes(sha256("a"), Distribution::contract)[2]),
            (std::vector<float>{10, 20, 30, 40}));
}

TEST_F(Golden, AFileThatIsGoneOrShortIsTheReferencesFault) {
  open(golden_toml(), golden_files());
  folder_->write("truth/odd/y.bin", "123");
  ASSERT_TRUE(ask().fault);
  EXPECT_NE(ask().fault->find("truth/odd/y.bin"), std::string::npos);
  fs::remove(folder_->path() / "truth/odd/y.bin");
  EXPECT_TRUE(ask().fault);
}

}  // namespace
}  // namespace hone::judge
