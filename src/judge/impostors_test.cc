#include "judge/impostors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <set>

namespace hone::judge {
namespace {

using task::DType;

// What a matrix product of some depth looks like to the panel: normal values, magnitudes around √K.
ImpostorSources typical(DType dtype = DType::f32) {
  ImpostorSources sources;
  sources.rule.argument = "c";
  sources.rule.dtype = dtype;
  sources.rule.accumulate = DType::f32;
  sources.rule.count = 24 * 16;
  sources.rule.row_length = 16;
  sources.rule.terms = 64;
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal(0.3, 8.0);
  for (Truth* truth : {&sources.truth, &sources.previous}) {
    for (uint64_t i = 0; i < sources.rule.count; ++i) {
      truth->values.push_back(normal(engine));
      truth->magnitudes.push_back(50.0);
    }
  }
  std::vector<float> input(sources.rule.count);
  for (float& value : input) value = static_cast<float>(normal(engine));
  sources.inputs.emplace_back(input.size() * sizeof(float));
  std::memcpy(sources.inputs[0].data(), input.data(), sources.inputs[0].size());
  return sources;
}

std::set<std::string> names_of(const std::vector<Impostor>& impostors) {
  std::set<std::string> names;
  for (const Impostor& impostor : impostors) names.insert(impostor.name);
  return names;
}

bool offers(const ImpostorSources& sources, const std::string& name) {
  return names_of(impostors_of(sources)).contains(name);
}

TEST(Impostors, AreAllElevenOnATypicalTask) {
  EXPECT_EQ(
      names_of(impostors_of(typical())),
      (std::set<std::string>{"zeros", "ones", "mean", "column means", "input copy", "previous output", "missing tile",
                             "transposed", "one wrong row", "half-precision accumulation", "NaN"}));
}

std::vector<double> values_of(const ImpostorSources& sources, const std::string& name) {
  std::vector<double> values(sources.rule.count);
  for (const Impostor& impostor : impostors_of(sources)) {
    if (impostor.name == name) std::memcpy(values.data(), impostor.bytes.data(), impostor.bytes.size());
  }
  return values;
}

// Two rows of four in float64: 1 2 3 4, 5 6 7 8, every magnitude 100.
ImpostorSources counted_up() {
  ImpostorSources sources;
  sources.rule.dtype = DType::f64;
  sources.rule.accumulate = DType::f32;
  sources.rule.count = 8;
  sources.rule.row_length = 4;
  sources.rule.terms = 16;
  for (int i = 1; i <= 8; ++i) sources.truth.values.push_back(i);
  sources.truth.magnitudes.assign(8, 100.0);
  return sources;
}

TEST(Impostors, ColumnMeansAreOverTheRows) {
  EXPECT_EQ(values_of(counted_up(), "column means"), (std::vector<double>{3, 4, 5, 6, 3, 4, 5, 6}));
}

TEST(Impostors, HalfSumsErrByTheirTermsAndMagnitudesToEitherSide) {
  const ImpostorSources sources = counted_up();
  const std::vector<double> values = values_of(sources, "half-precision accumulation");
  std::set<double> errors;
  for (size_t i = 0; i < values.size(); ++i) errors.insert(values[i] - sources.truth.values[i]);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_DOUBLE_EQ(*errors.begin(), -0x1p-11 * 4 * 100);
  EXPECT_DOUBLE_EQ(*errors.rbegin(), 0x1p-11 * 4 * 100);
}

TEST(Impostors, EachIsRejectedByTheBound) {
  const ImpostorSources sources = typical();
  for (const Impostor& impostor : impostors_of(sources))
    EXPECT_FALSE(check_output(sources.rule, impostor.bytes, sources.truth, std::nullopt).passed()) << impostor.name;
}

TEST(Impostors, EachIsRejectedAgainstV0) {
  ImpostorSources sources = typical();
  sources.truth.magnitudes.clear();
  const auto v0 = rounded(sources.rule, sources.truth);
  for (const Impostor& impostor : impostors_of(sources))
    EXPECT_FALSE(check_output(sources.rule, impostor.bytes, sources.truth, v0).passed()) << impostor.name;
}

TEST(Impostors, TheRightAnswerIsNone) {
  const ImpostorSources sources = typical();
  EXPECT_TRUE(check_output(sources.rule, rounded(sources.rule, sources.truth), sources.truth, std::nullopt).passed());
}

TEST(Impostors, AreLeftOutWhereTheyAreRight) {
  ImpostorSources zeros = typical();
  std::fill(zeros.truth.values.begin(), zeros.truth.values.end(), 0.0);
  std::fill(zeros.truth.magnitudes.begin(), zeros.truth.magnitudes.end(), 0.0);
  for (const char* name : {"zeros", "mean", "column means", "missing tile", "transposed", "one wrong row"})
    EXPECT_FALSE(offers(zeros, name)) << name;
  EXPECT_TRUE(offers(zeros, "ones"));
}

TEST(Impostors, APreviousOutputNeedsOne) {
  ImpostorSources sources = typical();
  sources.previous = {};
  EXPECT_FALSE(offers(sources, "previous output"));
}

TEST(Impostors, AnInputCopyNeedsALargeEnoughInput) {
  ImpostorSources sources = typical();
  sources.inputs[0].resize(8);
  EXPECT_FALSE(offers(sources, "input copy"));
}

TEST(Impostors, OneRowIsNeitherTransposedNorWrong) {
  ImpostorSources sources = typical();
  sources.rule.row_length = sources.rule.count;
  EXPECT_FALSE(offers(sources, "transposed"));
  EXPECT_FALSE(offers(sources, "one wrong row"));
}

TEST(Impostors, HalfSumsAreAllowedWhereTheContractAllowsThem) {
  for (const DType accumulate : {DType::f16, DType::bf16}) {
    ImpostorSources sources = typical();
    sources.rule.accumulate = accumulate;
    EXPECT_FALSE(offers(sources, "half-precision accumulation")) << name_of(accumulate);
  }
}

TEST(Impostors, HalfSumsWithoutMagnitudesAreTheTruthRoundedToHalf) {
  ImpostorSources sources = typical();
  sources.truth.magnitudes.clear();
  for (const Impostor& impostor : impostors_of(sources)) {
    if (impostor.name != "half-precision accumulation") continue;
    float first = 0;
    std::memcpy(&first, impostor.bytes.data(), sizeof first);
    EXPECT_NE(first, static_cast<float>(sources.truth.values[0]));
    EXPECT_NEAR(first, sources.truth.values[0], std::abs(sources.truth.values[0]) * 0x1p-11);
  }
}

TEST(Impostors, OfIntegersHaveNoNaNAndNoHalves) {
  ImpostorSources sources;
  sources.rule.dtype = DType::i32;
  sources.rule.count = 6;
  sources.rule.row_length = 3;
  const int values[] = {5, 1, 4, 2, 3, 9};
  sources.truth.exact.resize(sizeof values);
  std::memcpy(sources.truth.exact.data(), values, sizeof values);
  const auto impostors = impostors_of(sources);
  const auto names = names_of(impostors);
  EXPECT_FALSE(names.contains("NaN"));
  EXPECT_FALSE(names.contains("half-precision accumulation"));
  EXPECT_TRUE(names.contains("zeros"));
  for (const Impostor& impostor : impostors)
    EXPECT_FALSE(check_output(sources.rule, impostor.bytes, sources.truth, std::nullopt).passed()) << impostor.name;
}

TEST(Impostors, OfNothingAreNone) {
  ImpostorSources sources;
  EXPECT_TRUE(impostors_of(sources).empty());
}

TEST(Impostors, AMissingTileLeavesTheRestRight) {
  const ImpostorSources sources = typical();
  const auto right = rounded(sources.rule, sources.truth);
  for (const Impostor& impostor : impostors_of(sources)) {
    if (impostor.name != "missing tile") continue;
    EXPECT_EQ(std::memcmp(impostor.bytes.data(), right.data(), 64), 0);
    EXPECT_NE(std::memcmp(impostor.bytes.data(), right.data(), right.size()), 0);
  }
}

}  // namespace
}  // namespace hone::judge
