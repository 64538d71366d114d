// Edges of the checker that no table of neighbouring rules shows: what stands exactly on a limit, first and last
// places, what a report says, and the rule that a contract comes to.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "judge/checker.h"
#include "judge/impostors.h"

namespace hone::judge {
namespace {

using task::DType;

OutputRule rule_of(DType dtype, uint64_t count) {
  OutputRule rule;
  rule.argument = "y";
  rule.dtype = dtype;
  rule.accumulate = dtype;
  rule.count = count;
  rule.row_length = count;
  return rule;
}

Truth truth_of(std::vector<double> values, std::vector<double> magnitudes = {}) {
  return {std::move(values), std::move(magnitudes), {}};
}

std::vector<std::byte> bytes_as(const OutputRule& rule, const std::vector<double>& values) {
  return rounded(rule, truth_of(values));
}

CheckResult check(const OutputRule& rule, const std::vector<double>& found, const Truth& truth) {
  return check_output(rule, bytes_as(rule, found), truth, std::nullopt);
}

CheckResult check_against(const OutputRule& rule, const std::vector<double>& found, const Truth& truth,
                          const std::vector<double>& v0) {
  return check_output(rule, bytes_as(rule, found), truth, bytes_as(rule, v0));
}

// ---- the bound ----

TEST(CheckBoundEdge, AnErrorOfExactlyTheBoundPasses) {
  const OutputRule rule = rule_of(DType::f64, 1);
  const double bound = error_bound(rule, 0.0, 0.0);  // one subnormal step, so that nothing is rounded
  EXPECT_TRUE(check(rule, {bound}, truth_of({0.0}, {0.0})).passed());
  EXPECT_FALSE(check(rule, {2 * bound}, truth_of({0.0}, {0.0})).passed());
}

TEST(CheckBoundEdge, FollowsTheTruthAndNotWhatWasFound) {
  // 4·2^-8 of the truth is 0.01562, of what was found 0.01587; the error lies between.
  const OutputRule rule = rule_of(DType::bf16, 1);
  EXPECT_FALSE(check(rule, {1.015625}, truth_of({0.9999}, {0.0})).passed());
}

TEST(CheckBoundEdge, TheWorstErrorsAreReportedInEveryMeasure) {
  const OutputRule rule = rule_of(DType::f64, 3);
  const CheckResult result = check(rule, {2.5, 100.0, 4.0}, truth_of({2.0, 99.0, 4.0}, {1e20, 1e20, 1e20}));
  EXPECT_TRUE(result.passed());
  EXPECT_DOUBLE_EQ(*result.worst_absolute_error, 1.0);
  EXPECT_DOUBLE_EQ(*result.worst_relative_error, 0.25);
}

TEST(CheckBoundEdge, AnUnwrittenElementIsCalledSo) {
  constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double k_infinity = std::numeric_limits<double>::infinity();
  const OutputRule rule = rule_of(DType::f32, 1);
  EXPECT_EQ(check(rule, {k_nan}, truth_of({1.0}, {1.0})).failure->reason, "not a number, or never written");
  EXPECT_EQ(check(rule, {k_infinity}, truth_of({1.0}, {1.0})).failure->reason,
            "not finite where the truth is, or the reverse");
}

TEST(CheckSizesEdge, MagnitudesBeyondTheElementsAreNoneOfThisOutput) {
  EXPECT_FALSE(check(rule_of(DType::f64, 2), {1.0, 1.0}, truth_of({1.0, 1.0}, {1.0, 1.0, 1.0})).passed());
}

TEST(CheckIntegersEdge, EveryByteCounts) {
  const OutputRule rule = rule_of(DType::i32, 1);
  const auto bytes = [](int32_t value) {
    std::vector<std::byte> out(sizeof value);
    std::memcpy(out.data(), &value, sizeof value);
    return out;
  };
  for (int bit = 0; bit < 31; ++bit)
    EXPECT_FALSE(check_output(rule, bytes(1 << bit), {{}, {}, bytes(0)}, std::nullopt).passed()) << bit;
}

// ---- relative to v0 ----

TEST(CheckAgainstV0Edge, TheFloorScalesWithTheOutput) {
  const OutputRule rule = rule_of(DType::f32, 1);
  const auto off_by_ulps = [&](double scale, double ulps) {
    return check_against(rule, {scale + ulps * scale * 0x1p-23}, truth_of({scale}), {scale}).passed();
  };
  for (const double scale : {0x1p-20, 1.0, 0x1p+20, -1.0}) {
    EXPECT_TRUE(off_by_ulps(scale, 1)) << scale;
    EXPECT_FALSE(off_by_ulps(scale, 2)) << scale;
  }
}

class WrongRow : public testing::TestWithParam<uint64_t> {};

// Spread over the whole output the error would pass.
TEST_P(WrongRow, IsFoundWhereverItStands) {
  constexpr uint64_t k_rows = 10, k_columns = 64;  // long enough to be judged alone
  constexpr double k_step = 0x1p-10;
  OutputRule rule = rule_of(DType::f32, k_rows * k_columns);
  rule.row_length = k_columns;
  const std::vector<double> v0(rule.count, 1 + k_step);
  std::vector<double> found(rule.count, 1.0);
  const uint64_t first = GetParam() * k_columns;
  for (uint64_t i = first; i < first + k_columns; ++i) found[i] = 1 + 3.5 * k_step;
  found[first + 2] = 1 + 4 * k_step;
  const CheckResult result = check_against(rule, found, truth_of(std::vector<double>(rule.count, 1.0)), v0);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->index, first + 2) << "the worst of the row";
}

INSTANTIATE_TEST_SUITE_P(Rows, WrongRow, testing::Values(0, 1, 8, 9));

// What is not finite has no error; the numbers beside it are judged by theirs.
TEST(CheckAgainstV0Edge, InfinitiesThatTheContractAllowsDoNotSpoilTheirRow) {
  constexpr double k_infinity = std::numeric_limits<double>::infinity();
  OutputRule rule = rule_of(DType::f32, 640);
  rule.row_length = 64;
  rule.compare.nonfinite = task::NonFinite::equal_infinities;
  std::vector<double> values(rule.count, 1.0);
  values[70] = -k_infinity;
  std::vector<double> found = values;
  EXPECT_TRUE(check_against(rule, found, truth_of(values), values).passed());
  found[71] = 1 + 0x1p-20;
  EXPECT_FALSE(check_against(rule, found, truth_of(values), values).passed());
}

// ---- the rule that a contract comes to ----

struct Contract {
  task::Task task;
  task::Argument argument;

  OutputRule rule(TruthSource source = TruthSource::oracle) const {
    task::BoundArgument bound;
    bound.argument = &argument;
    bound.shape = {3, 5};
    bound.count = 15;
    bound.terms = 7;
    return rule_for(task, bound, source);
  }
};

TEST(RuleFor, TakesCountsFromTheBoundArgument) {
  const OutputRule rule = Contract().rule();
  EXPECT_EQ(rule.count, 15u);
  EXPECT_EQ(rule.row_length, 5u) << "the innermost extent";
  EXPECT_EQ(rule.terms, 7u);
}

TEST(RuleFor, SumsInSinglePrecisionUnlessTheContractOrTheOutputSaysOtherwise) {
  Contract contract;
  const auto accumulates = [&](DType dtype) {
    contract.argument.dtype = dtype;
    return contract.rule().accumulate;
  };
  EXPECT_EQ(accumulates(DType::f16), DType::f32);
  EXPECT_EQ(accumulates(DType::f32), DType::f32);
  EXPECT_EQ(accumulates(DType::f64), DType::f64);
  contract.task.policy.accumulate = DType::f16;
  EXPECT_EQ(accumulates(DType::f32), DType::f16);
}

TEST(RuleFor, UnderABaselineTheContractDecidesAlone) {
  EXPECT_FALSE(Contract().rule(TruthSource::oracle).baseline_is_truth);
  EXPECT_TRUE(Contract().rule(TruthSource::baseline).baseline_is_truth);
}

}  // namespace
}  // namespace hone::judge
