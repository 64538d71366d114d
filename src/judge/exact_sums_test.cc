// Dot products of small whole numbers: an honest kernel in any order is exact, a half-width accumulator and a dropped
// term are not; and the demand is made only where it follows from the truth.
#include "judge/exact_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "device/fill.h"
#include "judge/impostors.h"

namespace hone::judge {
namespace {

using task::DType;

constexpr size_t k_rows = 32;

struct Dots {
  size_t terms;
  std::vector<double> products;  // k_rows × terms

  Dots(size_t how_many, double unit, uint64_t seed = 3) : terms(how_many) {
    std::mt19937_64 engine(seed);
    for (size_t i = 0; i < k_rows * terms; ++i)
      products.push_back(unit * static_cast<double>(static_cast<int>(engine() % 17) - 8) *
                         static_cast<double>(static_cast<int>(engine() % 17) - 8));
  }
  Truth truth() const {
    Truth truth;
    for (size_t row = 0; row < k_rows; ++row) {
      double sum = 0, magnitude = 0;
      for (size_t k = 0; k < terms; ++k) {
        sum += products[row * terms + k];
        magnitude += std::abs(products[row * terms + k]);
      }
      truth.values.push_back(sum);
      truth.magnitudes.push_back(magnitude);
    }
    return truth;
  }
  template <class Add>
  std::vector<double> summed(Add add, bool backwards = false) const {
    std::vector<double> sums;
    for (size_t row = 0; row < k_rows; ++row) {
      double sum = 0;
      for (size_t k = 0; k < terms; ++k) sum = add(sum, products[row * terms + (backwards ? terms - 1 - k : k)]);
      sums.push_back(sum);
    }
    return sums;
  }
};

double in_single(double a, double b) { return static_cast<double>(static_cast<float>(a) + static_cast<float>(b)); }
double in_half(double a, double b) { return device::from_f16_bits(device::to_f16_bits(a + b)); }

OutputRule rule_of(DType dtype, DType accumulate, uint64_t count = k_rows) {
  OutputRule rule;
  rule.dtype = dtype;
  rule.accumulate = accumulate;
  rule.count = rule.row_length = count;
  return rule;
}

bool passes(const OutputRule& rule, const std::vector<double>& found, const Truth& truth) {
  return !find_inexact(rule, rounded(rule, {found, {}, {}}), truth);
}

TEST(ExactSums, EveryOrderOfAnHonestKernelPasses) {
  const OutputRule rule = rule_of(DType::f32, DType::f32);
  const Dots dots(4096, 1.0);
  ASSERT_TRUE(sums_are_exact(rule, dots.truth()));
  EXPECT_TRUE(passes(rule, dots.summed(in_single), dots.truth()));
  EXPECT_TRUE(passes(rule, dots.summed(in_single, true), dots.truth()));
}

TEST(ExactSums, AHalfWidthAccumulatorIsFoundWhereItsErrorIsWithinTheBound) {
  const OutputRule rule = rule_of(DType::f32, DType::f32);
  const Dots dots(4096, 1.0);
  EXPECT_FALSE(passes(rule, dots.summed(in_half), dots.truth()));
}

TEST(ExactSums, ADroppedTermIsFoundWhereTheBoundForgivesIt) {
  OutputRule rule = rule_of(DType::f32, DType::f32);
  rule.terms = 1 << 15;
  const Dots dots(1 << 15, 1.0);
  const Truth truth = dots.truth();
  ASSERT_TRUE(sums_are_exact(rule, truth));
  std::vector<double> found = truth.values;
  found[5] += 1;
  EXPECT_TRUE(check_output(rule, rounded(rule, {found, {}, {}}), truth, std::nullopt).passed());
  const auto failure = find_inexact(rule, rounded(rule, {found, {}, {}}), truth);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->index, 5u);
}

TEST(ExactSums, TheGridMayBeFinerThanOne) {
  const OutputRule rule = rule_of(DType::f32, DType::f32);
  EXPECT_TRUE(sums_are_exact(rule, Dots(64, 0.125).truth()));
  EXPECT_FALSE(sums_are_exact(rule, Dots(64, static_cast<double>(0.1f)).truth())) << "0.1f has 24 bits itself";
}

TEST(ExactSums, AreDemandedOnlyWhileTheAccumulatorHoldsThem) {
  const Truth truth = Dots(256, 1.0).truth();  // S is some 4600
  EXPECT_TRUE(sums_are_exact(rule_of(DType::f32, DType::f32), truth));
  EXPECT_FALSE(sums_are_exact(rule_of(DType::f32, DType::f16), truth)) << "2048 is the most";
  EXPECT_FALSE(sums_are_exact(rule_of(DType::f32, DType::bf16), truth));
  EXPECT_TRUE(sums_are_exact(rule_of(DType::f32, DType::f16), Dots(16, 1.0).truth()));
}

// At the edge: 2·S = 2^24 is held, one more step is not.
TEST(ExactSums, TheHeadroomIsTwo) {
  const OutputRule rule = rule_of(DType::f32, DType::f32);
  Truth truth{std::vector<double>(k_rows, 1.0), std::vector<double>(k_rows, 0x1p23), {}};
  EXPECT_TRUE(sums_are_exact(rule, truth));
  truth.magnitudes[3] = 0x1p23 + 1;
  EXPECT_FALSE(sums_are_exact(rule, truth));
}

// The grid is the finest of both: terms may cancel out of a value, and a value may be finer than its terms.
TEST(ExactSums, TheGridIsThatOfValuesAndMagnitudes) {
  const OutputRule rule = rule_of(DType::f32, DType::f32);
  const std::vector<double> whole(k_rows, 4.0);
  const std::vector<double> fine(k_rows, 4.1);
  EXPECT_TRUE(sums_are_exact(rule, {whole, whole, {}}));
  EXPECT_FALSE(sums_are_exact(rule, {whole, fine, {}}));
  EXPECT_FALSE(sums_are_exact(rule, {fine, whole, {}}));
}

TEST(ExactSums, WhatTheAccumulatorCannotReachIsNotDemanded) {
  const OutputRule rule = rule_of(DType::f32, DType::f16);
  EXPECT_TRUE(sums_are_exact(rule, {std::vector<double>(k_rows, 0x1p15), std::vector<double>(k_rows, 0x1p15), {}}));
  EXPECT_FALSE(sums_are_exact(rule, {std::vector<double>(k_rows, 0x1p16), std::vector<double>(k_rows, 0x1p16), {}}));
}

TEST(ExactSums, EveryElementCounts) {
  const OutputRule rule = rule_of(DType::f32, DType::f32);
  const Truth truth = Dots(64, 1.0).truth();
  for (size_t place = 0; place < k_rows; ++place) {
    std::vector<double> found = truth.values;
    found[place] += 1;
    EXPECT_FALSE(passes(rule, found, truth)) << place;
  }
}

TEST(ExactSums, NothingIsDemandedOfANonlinearKernel) {
  Truth truth = Dots(64, 1.0).truth();
  for (double& value : truth.values) value = std::exp(value / 100);
  truth.magnitudes = truth.values;
  EXPECT_FALSE(sums_are_exact(rule_of(DType::f32, DType::f32), truth));
}

TEST(ExactSums, WhatTheOutputsTypeCannotHoldIsLeftToTheBound) {
  const OutputRule rule = rule_of(DType::f16, DType::f32);
  Truth truth{std::vector<double>(k_rows, 5.0), std::vector<double>(k_rows, 5000.0), {}};
  truth.values[1] = 2049;  // between two halves
  std::vector<double> found = truth.values;
  found[1] = 2052;
  EXPECT_TRUE(passes(rule, found, truth));
  found[2] = 5.00390625;
  EXPECT_FALSE(passes(rule, found, truth));
}

TEST(ExactSums, NeedMagnitudesElementsAndAnOracle) {
  const Dots dots(64, 1.0);
  OutputRule rule = rule_of(DType::f32, DType::f32);
  Truth truth = dots.truth();
  EXPECT_TRUE(sums_are_exact(rule, truth));
  rule.compare.exact_sums = false;
  EXPECT_FALSE(sums_are_exact(rule, truth));
  rule.compare.exact_sums = true;
  rule.baseline_is_truth = true;
  EXPECT_FALSE(sums_are_exact(rule, truth));
  rule.baseline_is_truth = false;
  truth.magnitudes.clear();
  EXPECT_FALSE(sums_are_exact(rule, truth));
  Truth few{std::vector<double>(15, 1.0), std::vector<double>(15, 1.0), {}};
  EXPECT_FALSE(sums_are_exact(rule_of(DType::f32, DType::f32, 15), few));
  Truth zeros{std::vector<double>(k_rows, 0.0), std::vector<double>(k_rows, 0.0), {}};
  EXPECT_FALSE(sums_are_exact(rule, zeros)) << "nothing was offered, or nothing is shown";
}

TEST(ExactSums, ZerosHaveNoSignAndNaNIsNoNumber) {
  const OutputRule rule = rule_of(DType::f32, DType::f32);
  Truth truth{std::vector<double>(k_rows, 0.0), std::vector<double>(k_rows, 4.0), {}};
  EXPECT_TRUE(passes(rule, std::vector<double>(k_rows, -0.0), truth));
  EXPECT_FALSE(passes(rule, std::vector<double>(k_rows, NAN), truth));
}

}  // namespace
}  // namespace hone::judge
