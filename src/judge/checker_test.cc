// Every rule of the checker alone, by tables of nearby cases that a neighbouring rule would judge the other way: taking
// one duty out of the checker makes some row here fail.
#include "judge/checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "device/fill.h"
#include "judge/constants.h"
#include "judge/impostors.h"

namespace hone::judge {
namespace {

using task::CompareRule;
using task::DType;

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double k_infinity = std::numeric_limits<double>::infinity();
constexpr double k_u32 = 0x1p-24;

OutputRule rule_of(DType dtype, uint64_t count) {
  OutputRule rule;
  rule.argument = "y";
  rule.dtype = dtype;
  rule.accumulate = dtype == DType::f64 ? DType::f64 : DType::f32;
  rule.count = count;
  rule.row_length = count;
  return rule;
}

Truth truth_of(std::vector<double> values, std::vector<double> magnitudes = {}) {
  return {std::move(values), std::move(magnitudes), {}};
}

// Values as the output's type holds them.
std::vector<std::byte> bytes_as(const OutputRule& rule, const std::vector<double>& values) {
  return rounded(rule, truth_of(values));
}

template <class T>
std::vector<std::byte> raw(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

CheckResult check(const OutputRule& rule, const std::vector<double>& found, const Truth& truth) {
  return check_output(rule, bytes_as(rule, found), truth, std::nullopt);
}

CheckResult check_against(const OutputRule& rule, const std::vector<double>& found, const Truth& truth,
                          const std::vector<double>& v0) {
  const auto baseline = bytes_as(rule, v0);
  return check_output(rule, bytes_as(rule, found), truth, baseline);
}

// ---- the error bound
// ------------------------------------------------------------------------------------------------------------------

TEST(ErrorBound, IsTheFormulaOfTheErrorModel) {
  OutputRule rule = rule_of(DType::f32, 1);
  rule.terms = 16;
  // 4·(u·|y| + u·(√16 + 4)·S) = 4·2^-24·(3 + 8·5), and one spacing of subnormals.
  EXPECT_DOUBLE_EQ(error_bound(rule, -3.0, 5.0), 4 * k_u32 * (3 + 8 * 5.0) + 0x1p-149);
}

struct BoundRow {
  const char* what;
  DType dtype;
  DType accumulate;
  uint64_t terms;
  double truth;
  double magnitude;
  double expected;  // without the subnormal spacing
};

class ErrorBoundTable : public testing::TestWithParam<BoundRow> {};

TEST_P(ErrorBoundTable, Holds) {
  const BoundRow& row = GetParam();
  OutputRule rule = rule_of(row.dtype, 1);
  rule.accumulate = row.accumulate;
  rule.terms = row.terms;
  EXPECT_NEAR(error_bound(rule, row.truth, row.magnitude), row.expected, 1e-6 * row.expected + 0x1p-23) << row.what;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, ErrorBoundTable,
    testing::Values(
        BoundRow{"half output, single sums", DType::f16, DType::f32, 1, 1.0, 1.0, 4 * (0x1p-11 + 0x1p-24 * 5)},
        BoundRow{"half output, half sums", DType::f16, DType::f16, 1, 1.0, 1.0, 4 * (0x1p-11 + 0x1p-11 * 5)},
        BoundRow{"bf16 output", DType::bf16, DType::f32, 1, 100.0, 0.0, 400 * 0x1p-8},
        BoundRow{"K counts by its root", DType::f32, DType::f16, 10000, 0.0, 1.0, 4 * 0x1p-11 * 104},
        BoundRow{"S scales the sums", DType::f32, DType::f16, 1, 0.0, 1000.0, 4 * 0x1p-11 * 5 * 1000}));

TEST(ErrorBound, AllowsOneSubnormalStepOfEachType) {
  const std::pair<DType, double> rows[] = {
      {DType::f64, 0x1p-1074}, {DType::f32, 0x1p-149}, {DType::f16, 0x1p-24}, {DType::bf16, 0x1p-133}};
  for (const auto& [dtype, spacing] : rows)
    EXPECT_EQ(error_bound(rule_of(dtype, 1), 0.0, 0.0), spacing) << name_of(dtype);
}

TEST(CheckBound, PassesAtTheBoundAndFailsJustBeyondIt) {
  const OutputRule rule = rule_of(DType::f64, 1);
  const double bound = error_bound(rule, 1.0, 1.0);
  EXPECT_TRUE(check(rule, {1.0 + 0.9 * bound}, truth_of({1.0}, {1.0})).passed());
  EXPECT_TRUE(check(rule, {1.0 - 0.9 * bound}, truth_of({1.0}, {1.0})).passed());
  EXPECT_FALSE(check(rule, {1.0 + 1.1 * bound}, truth_of({1.0}, {1.0})).passed());
  EXPECT_FALSE(check(rule, {1.0 - 1.1 * bound}, truth_of({1.0}, {1.0})).passed());
}

TEST(CheckBound, ReportsTheFirstFailureAndTheWorstRatio) {
  const OutputRule rule = rule_of(DType::f64, 4);
  const double bound = error_bound(rule, 1.0, 1.0);
  const CheckResult result =
      check(rule, {1.0, 1.0 + 2 * bound, 1.0 + 7 * bound, 1.0}, truth_of({1, 1, 1, 1}, {1, 1, 1, 1}));
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->index, 1u);
  EXPECT_NEAR(*result.failure->error_over_bound, 2.0, 0.3);
  EXPECT_NEAR(*result.worst_error_over_bound, 7.0, 0.3);
  EXPECT_EQ(result.compared, 4u);
}

TEST(CheckBound, EveryElementHasItsOwnMagnitude) {
  const OutputRule rule = rule_of(DType::f32, 2);
  EXPECT_TRUE(check(rule, {1e-3, 0}, truth_of({0, 0}, {1e3, 1})).passed());
  EXPECT_FALSE(check(rule, {0, 1e-3}, truth_of({0, 0}, {1e3, 1})).passed());
}

// ---- masks
// --------------------------------------------------------------------------------------------------------------------------

struct MaskRow {
  const char* what;
  double truth;
  double found;
  bool passes;  // where the contract asks for equal masks
};

OutputRule one_with_equal_masks() {
  OutputRule rule = rule_of(DType::f32, 1);
  rule.compare.nonfinite = task::NonFinite::equal_masks;
  return rule;
}

class Masks : public testing::TestWithParam<MaskRow> {};

TEST_P(Masks, UnderTheBound) {
  const MaskRow& row = GetParam();
  EXPECT_EQ(check(one_with_equal_masks(), {row.found}, truth_of({row.truth}, {1.0})).passed(), row.passes) << row.what;
}

TEST_P(Masks, AgainstV0) {
  const MaskRow& row = GetParam();
  EXPECT_EQ(check_against(one_with_equal_masks(), {row.found}, truth_of({row.truth}), {row.truth}).passed(), row.passes)
      << row.what;
}

TEST_P(Masks, UnderTheContractsRuleAlone) {
  const MaskRow& row = GetParam();
  OutputRule rule = one_with_equal_masks();
  rule.baseline_is_truth = true;
  rule.compare.rule = CompareRule::allclose;
  rule.compare.absolute_tolerance = 1e-3;
  EXPECT_EQ(check(rule, {row.found}, truth_of({row.truth})).passed(), row.passes) << row.what;
}

INSTANTIATE_TEST_SUITE_P(Rows, Masks,
                         testing::Values(MaskRow{"a number", 1, 1, true}, MaskRow{"NaN for a number", 1, k_nan, false},
                                         MaskRow{"a number for NaN", k_nan, 1, false},
                                         MaskRow{"NaN for NaN", k_nan, k_nan, true},
                                         MaskRow{"infinity for a number", 1, k_infinity, false},
                                         MaskRow{"the largest number for infinity", k_infinity, 3e38, false},
                                         MaskRow{"infinity for infinity", k_infinity, k_infinity, true},
                                         MaskRow{"the other infinity", k_infinity, -k_infinity, false},
                                         MaskRow{"NaN for infinity", k_infinity, k_nan, false}));

// Every policy judges some row differently from each of its neighbours.
TEST(NonFinite, EveryPolicySaysWhatMayStandWhereTheTruthHoldsIt) {
  struct Row {
    double value;
    bool none, negative_infinity, equal_infinities, equal_masks;
  };
  const Row rows[] = {{-k_infinity, false, true, true, true},
                      {k_infinity, false, false, true, true},
                      {k_nan, false, false, false, true}};
  for (const Row& row : rows) {
    using task::NonFinite;
    for (const auto& [policy, passes] : {std::pair{NonFinite::none, row.none},
                                         {NonFinite::negative_infinity, row.negative_infinity},
                                         {NonFinite::equal_infinities, row.equal_infinities},
                                         {NonFinite::equal_masks, row.equal_masks}}) {
      OutputRule rule = rule_of(DType::f32, 2);
      rule.compare.nonfinite = policy;
      EXPECT_EQ(check(rule, {1, row.value}, truth_of({1, row.value}, {1, 1})).passed(), passes)
          << name_of(policy) << " " << row.value;
      EXPECT_FALSE(check(rule, {row.value, 1}, truth_of({1, row.value}, {1, 1})).passed()) << "in another place";
      EXPECT_EQ(is_usable(truth_of({1, row.value}, {1, k_nan}), DType::f32, policy), passes) << name_of(policy);
    }
  }
}

TEST(CheckOutput, NaNFailsInEveryPlaceOfEveryRule) {
  for (const CompareRule compare :
       {CompareRule::bound, CompareRule::allclose, CompareRule::absolute, CompareRule::relative, CompareRule::exact,
        CompareRule::both, CompareRule::either, CompareRule::total}) {
    for (uint64_t place = 0; place < 5; ++place) {
      OutputRule rule = rule_of(DType::f32, 5);
      rule.compare.rule = compare;
      rule.compare.absolute_tolerance = 1e30;
      rule.compare.relative_tolerance = 1e30;
      rule.compare.matched_ratio = 0.0;
      std::vector<double> found(5, 1.0);
      found[place] = k_nan;
      EXPECT_FALSE(check(rule, found, truth_of({1, 1, 1, 1, 1}, {1, 1, 1, 1, 1})).passed())
          << name_of(compare) << " at " << place;
    }
  }
}

TEST(CheckOutput, PoisonOfEveryTypeFails) {
  for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    const OutputRule rule = rule_of(dtype, 64);
    std::vector<std::byte> poison(64 * task::size_bytes(dtype));
    device::poison(poison, dtype, sha256("any"), 1);
    EXPECT_FALSE(
        check_output(rule, poison, truth_of(std::vector<double>(64, 1.0), std::vector<double>(64, 1e6)), std::nullopt)
            .passed())
        << name_of(dtype);
  }
}

// ---- counts and sizes
// -------------------------------------------------------------------------------------------------------------------

TEST(CheckOutput, ZeroElementsAreAFailure) {
  const CheckResult result = check(rule_of(DType::f32, 0), {}, truth_of({}));
  EXPECT_FALSE(result.passed());
  EXPECT_EQ(result.failure->reason, "nothing compared");
}

TEST(CheckOutput, SizesComeFirst) {
  const OutputRule rule = rule_of(DType::f32, 2);
  const Truth truth = truth_of({1, 1}, {1, 1});
  EXPECT_TRUE(check_output(rule, raw<float>({1, 1}), truth, std::nullopt).passed());
  EXPECT_FALSE(check_output(rule, raw<float>({1}), truth, std::nullopt).passed());
  EXPECT_FALSE(check_output(rule, raw<float>({1, 1, 1}), truth, std::nullopt).passed());
  EXPECT_FALSE(check_output(rule, raw<float>({1, 1}), truth_of({1}, {1}), std::nullopt).passed());
  EXPECT_FALSE(check_output(rule, raw<float>({1, 1}), truth_of({1, 1}, {1}), std::nullopt).passed());
  EXPECT_FALSE(check_output(rule_of(DType::i32, 2), raw<int>({1, 1}), {{}, {}, raw<int>({1})}, std::nullopt).passed());
}

TEST(CheckOutput, WithoutAnyMeasureOfErrorNothingPasses) {
  OutputRule rule = rule_of(DType::f32, 1);
  EXPECT_FALSE(check(rule, {1.0}, truth_of({1.0})).passed());
  rule.baseline_is_truth = true;  // a bound of v0's own error is 0: only the contract's rule could decide
  EXPECT_FALSE(check(rule, {1.0}, truth_of({1.0}, {1.0})).passed());
}

// ---- integers
// --------------------------------------------------------------------------------------------------------------------------

TEST(CheckIntegers, AreExact) {
  const OutputRule rule = rule_of(DType::i32, 3);
  const Truth truth{{}, {}, raw<int>({1, -2, 3})};
  EXPECT_TRUE(check_output(rule, raw<int>({1, -2, 3}), truth, std::nullopt).passed());
  const CheckResult wrong = check_output(rule, raw<int>({1, -2, 4}), truth, std::nullopt);
  ASSERT_TRUE(wrong.failure);
  EXPECT_EQ(wrong.failure->index, 2u);
  EXPECT_EQ(wrong.failure->expected, "3");
  EXPECT_EQ(wrong.failure->found, "4");
}

TEST(CheckIntegers, KeepAllSixtyFourBits) {
  const OutputRule rule = rule_of(DType::i64, 1);
  const Truth truth{{}, {}, raw<int64_t>({INT64_MAX})};
  EXPECT_FALSE(check_output(rule, raw<int64_t>({INT64_MAX - 1}), truth, std::nullopt).passed());
}

TEST(CheckIntegers, NoToleranceSoftensThem) {
  OutputRule rule = rule_of(DType::i32, 1);
  rule.compare.rule = CompareRule::allclose;
  rule.compare.absolute_tolerance = 100;
  EXPECT_FALSE(check_output(rule, raw<int>({1}), {{}, {}, raw<int>({2})}, std::nullopt).passed());
}

// ---- relative to v0
// ------------------------------------------------------------------------------------------------------------------

constexpr double k_step = 0x1p-10;  // far above one ulp of float at 1

TEST(CheckAgainstV0, RootMeanSquareMayBeThreeTimesV0s) {
  const OutputRule rule = rule_of(DType::f32, 4);
  const Truth truth = truth_of({1, 1, 1, 1});
  const auto all = [](double error) { return std::vector<double>(4, 1 + error); };
  EXPECT_TRUE(check_against(rule, all(2.9 * k_step), truth, all(k_step)).passed());
  EXPECT_FALSE(check_against(rule, all(3.1 * k_step), truth, all(k_step)).passed());
}

TEST(CheckAgainstV0, TheLargestErrorMayBeEightTimesV0s) {
  const OutputRule rule = rule_of(DType::f32, 100);
  const Truth truth = truth_of(std::vector<double>(100, 1.0));
  const std::vector<double> v0(100, 1 + k_step);
  std::vector<double> found(100, 1.0);
  found[50] = 1 + 7.9 * k_step;
  EXPECT_TRUE(check_against(rule, found, truth, v0).passed());
  for (const double error : {8.1 * k_step, -8.1 * k_step}) {
    found[50] = 1 + error;
    const CheckResult result = check_against(rule, found, truth, v0);
    ASSERT_TRUE(result.failure) << error;
    EXPECT_EQ(result.failure->index, 50u);
  }
}

TEST(CheckAgainstV0, ARowIsJudgedAloneToo) {
  OutputRule rule = rule_of(DType::f32, 640);
  rule.row_length = 64;
  const Truth truth = truth_of(std::vector<double>(640, 1.0));
  std::vector<double> v0(640, 1 + k_step);
  std::vector<double> found(640, 1.0);
  for (size_t i = 128; i < 192; ++i) found[i] = 1 + 3.5 * k_step;  // spread over everything it would pass
  const CheckResult result = check_against(rule, found, truth, v0);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->reason, "error of the row against the baseline's");
  rule.row_length = 640;
  EXPECT_TRUE(check_against(rule, found, truth, v0).passed());
}

// Four elements may miss by chance what 64 do not: of a short row nothing is said.
TEST(CheckAgainstV0, AShortRowIsNotJudgedAlone) {
  OutputRule rule = rule_of(DType::f32, 640);
  rule.row_length = 4;
  std::vector<double> found(640, 1.0);
  for (size_t i = 8; i < 12; ++i) found[i] = 1 + 3.5 * k_step;
  EXPECT_TRUE(check_against(rule, found, truth_of(std::vector<double>(640, 1.0)), std::vector<double>(640, 1 + k_step))
                  .passed());
}

// 64 × 64 in four tiles: one of them is off by more than v0 ever is, and neither rows nor the whole show it.
TEST(CheckAgainstV0, ATileIsJudgedAloneToo) {
  OutputRule rule = rule_of(DType::f32, 4096);
  rule.row_length = 64;
  std::vector<double> found(4096, 1.0);
  for (size_t row = 0; row < 32; ++row)
    for (size_t column = 0; column < 32; ++column) found[row * 64 + column] = 1 + 3.5 * k_step;
  const Truth truth = truth_of(std::vector<double>(4096, 1.0));
  const std::vector<double> v0(4096, 1 + k_step);
  const CheckResult result = check_against(rule, found, truth, v0);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->reason, "error of the tile against the baseline's");
  rule.row_length = 4096;  // the same elements, nowhere next to each other
  std::vector<double> strewn(4096, 1.0);
  for (size_t i = 0; i < 4096; i += 4) strewn[i] = 1 + 3.5 * k_step;
  EXPECT_TRUE(check_against(rule, strewn, truth, v0).passed());
}

TEST(CheckAgainstV0, AnExactV0LeavesOneUlpAtTheRowsScale) {
  const OutputRule rule = rule_of(DType::f32, 2);
  const Truth truth = truth_of({1.0, 0.5});
  EXPECT_TRUE(check_against(rule, {1.0 + 0x1p-23, 0.5}, truth, {1.0, 0.5}).passed());
  EXPECT_FALSE(check_against(rule, {1.0 + 0x1p-21, 0.5}, truth, {1.0, 0.5}).passed());
}

TEST(CheckAgainstV0, IsNotUsedWhereMagnitudesAreOffered) {
  // v0 is far off; with magnitudes that excuses nobody.
  EXPECT_FALSE(check_against(rule_of(DType::f32, 1), {1.01}, truth_of({1.0}, {1.0}), {2.0}).passed());
  EXPECT_TRUE(check_against(rule_of(DType::f32, 1), {1.01}, truth_of({1.0}), {2.0}).passed());
}

// ---- the contract's own rules
// -----------------------------------------------------------------------------------------------------------

OutputRule contract_rule(CompareRule compare, double absolute, double relative, uint64_t count = 1) {
  OutputRule rule = rule_of(DType::f64, count);
  rule.baseline_is_truth = true;  // so that it decides alone
  rule.compare.rule = compare;
  rule.compare.absolute_tolerance = absolute;
  rule.compare.relative_tolerance = relative;
  return rule;
}

// Each row is judged differently by at least one neighbouring rule with the same tolerances (0.1 absolute, 0.01
// relative).
struct RuleRow {
  const char* what;
  double truth;
  double found;
  bool exact;
  bool absolute;
  bool relative;
  bool allclose;
  bool both;
  bool either;
};

class ContractRules : public testing::TestWithParam<RuleRow> {};

TEST_P(ContractRules, EachJudgesByItself) {
  const RuleRow& row = GetParam();
  const Truth truth = truth_of({row.truth});
  for (const auto& [rule, passes] : {std::pair{CompareRule::exact, row.exact},
                                     {CompareRule::absolute, row.absolute},
                                     {CompareRule::relative, row.relative},
                                     {CompareRule::allclose, row.allclose},
                                     {CompareRule::both, row.both},
                                     {CompareRule::either, row.either}})
    EXPECT_EQ(check(contract_rule(rule, 0.1, 0.01), {row.found}, truth).passed(), passes)
        << row.what << ", " << name_of(rule);
}

INSTANTIATE_TEST_SUITE_P(Rows, ContractRules,
                         // exact, absolute, relative, allclose, both, either
                         testing::Values(RuleRow{"equal", 5, 5, true, true, true, true, true, true},
                                         RuleRow{"small values, near", 1, 1.05, false, true, false, true, true, false},
                                         RuleRow{"large values, near", 100, 100.5, false, false, true, true, true,
                                                 false},
                                         RuleRow{"only the sum", 10, 10.15, false, false, false, true, false, false},
                                         RuleRow{"within each", 10, 10.05, false, true, true, true, true, true},
                                         RuleRow{"too far", 10, 10.25, false, false, false, false, false, false},
                                         RuleRow{"about zero", 0, 0.05, false, true, false, true, true, false},
                                         RuleRow{"negative", -100, -100.5, false, false, true, true, true, false}));

TEST(ContractRule, ATotalAddsUpAllErrors) {
  const Truth truth = truth_of({1, 1, 1, 1});
  EXPECT_TRUE(check(contract_rule(CompareRule::total, 0.5, 0, 4), {1.1, 0.9, 1.1, 0.9}, truth).passed());
  EXPECT_FALSE(check(contract_rule(CompareRule::total, 0.3, 0, 4), {1.1, 0.9, 1.1, 0.9}, truth).passed());
  EXPECT_TRUE(check(contract_rule(CompareRule::absolute, 0.3, 0, 4), {1.1, 0.9, 1.1, 0.9}, truth).passed());
  const CheckResult result = check(contract_rule(CompareRule::total, 0.3, 0, 4), {1.1, 0.9, 1.5, 0.9}, truth);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->index, 2u) << "the largest error is shown";
}

TEST(ContractRule, ARelativeFloorKeepsSmallReferencesApart) {
  OutputRule rule = contract_rule(CompareRule::relative, 0, 0.5);
  EXPECT_FALSE(check(rule, {0.25}, truth_of({0.0})).passed());
  rule.compare.relative_floor = 1.0;
  EXPECT_TRUE(check(rule, {0.25}, truth_of({0.0})).passed());
  EXPECT_FALSE(check(rule, {0.75}, truth_of({0.0})).passed());
  EXPECT_TRUE(check(rule, {1.75}, truth_of({1.0})).passed()) << "it is added to the reference";
}

TEST(ContractRule, AnErrorCapIsAbsoluteAndForgivesNobody) {
  OutputRule rule = contract_rule(CompareRule::relative, 0, 0.5, 10);
  rule.compare.matched_ratio = 0.5;
  const Truth truth = truth_of(std::vector<double>(10, 100.0));
  std::vector<double> found(10, 100.0);
  found[3] = 120.0;  // within the rule
  EXPECT_TRUE(check(rule, found, truth).passed());
  rule.compare.error_cap = 19.0;
  EXPECT_FALSE(check(rule, found, truth).passed());
  rule.compare.error_cap = 21.0;
  EXPECT_TRUE(check(rule, found, truth).passed());
}

TEST(ContractRule, AnErrorCapStandsBesideTheBoundToo) {
  OutputRule rule = rule_of(DType::f64, 1);
  rule.compare.error_cap = 0x1p-53;
  EXPECT_TRUE(check(rule, {1.0}, truth_of({1.0}, {1.0})).passed());
  EXPECT_FALSE(check(rule, {1.0 + 0x1p-52}, truth_of({1.0}, {1.0})).passed());
  rule.compare.error_cap = 0x1p-51;
  EXPECT_TRUE(check(rule, {1.0 + 0x1p-52}, truth_of({1.0}, {1.0})).passed()) << "below it the bound decides";
}

TEST(ContractRule, AllZerosCanBeRefusedUnderTheBoundToo) {
  OutputRule rule = rule_of(DType::f32, 2);
  const Truth truth = truth_of({0, 1e-6}, {1e3, 1e3});
  EXPECT_TRUE(check(rule, {0, 0}, truth).passed());
  rule.compare.reject_all_zero = true;
  EXPECT_FALSE(check(rule, {0, 0}, truth).passed());
}

TEST(ContractRule, AllZerosCanBeRefusedHoweverWideTheTolerance) {
  OutputRule rule = contract_rule(CompareRule::absolute, 0.1, 0, 2);
  EXPECT_TRUE(check(rule, {0, 0}, truth_of({0, 0.05})).passed());
  rule.compare.reject_all_zero = true;
  EXPECT_FALSE(check(rule, {0, 0}, truth_of({0, 0.05})).passed());
  EXPECT_TRUE(check(rule, {0, 0.01}, truth_of({0, 0.05})).passed());
  EXPECT_TRUE(check(rule, {0, 0}, truth_of({0, 0})).passed()) << "then zeros are right";
}

// Ten per cent may be wrong: strewn they pass, as a hole they do not.
TEST(ContractRule, MismatchesMayNotSitTogether) {
  OutputRule rule = contract_rule(CompareRule::absolute, 0.1, 0, 10000);
  rule.row_length = 100;
  rule.compare.matched_ratio = 0.9;
  const Truth truth = truth_of(std::vector<double>(10000, 1.0));
  std::vector<double> strewn(10000, 1.0);
  std::vector<double> hole(10000, 1.0);
  for (size_t i = 0; i < 400; ++i) strewn[i * 7919 % 10000] = 2.0;
  for (size_t row = 30; row < 50; ++row)
    for (size_t column = 51; column < 71; ++column) hole[row * 100 + column] = 2.0;
  EXPECT_TRUE(check(rule, strewn, truth).passed());
  const CheckResult result = check(rule, hole, truth);
  ASSERT_TRUE(result.failure);
  EXPECT_THAT(result.failure->reason, testing::HasSubstr("mismatches sit together"));
}

TEST(RuleForPart, CountsLooserAndForgetsRows) {
  OutputRule whole = contract_rule(CompareRule::absolute, 0.1, 0, 10000);
  whole.row_length = 100;
  whole.compare.matched_ratio = 0.9;
  whole.compare.reject_all_zero = true;
  const OutputRule part = rule_for_part(whole, 64);
  EXPECT_EQ(part.count, 64u);
  EXPECT_EQ(part.row_length, 1u);
  EXPECT_FALSE(part.compare.reject_all_zero);
  EXPECT_NEAR(part.compare.matched_ratio, 0.6, 1e-12);
  std::vector<double> found(64, 1.0);
  for (size_t i = 0; i < 25; ++i) found[2 * i] = 2.0;
  const Truth truth = truth_of(std::vector<double>(64, 1.0));
  EXPECT_TRUE(check(part, found, truth).passed()) << "39 % of a part";
  found.assign(64, 2.0);
  EXPECT_FALSE(check(part, found, truth).passed()) << "all of it";
  whole.compare.matched_ratio = 1.0;
  EXPECT_EQ(rule_for_part(whole, 64).compare.matched_ratio, 1.0);
}

TEST(ContractRule, AllcloseScalesWithWhatTheContractSays) {
  OutputRule rule = contract_rule(CompareRule::allclose, 0.0, 0.5);
  // |2 − 1| = 1 is half of the output and all of the reference; |1 − 2| is half of the reference.
  EXPECT_FALSE(check(rule, {2.0}, truth_of({1.0})).passed());
  EXPECT_TRUE(check(rule, {1.0}, truth_of({2.0})).passed());
  rule.compare.relative_to = task::RelativeTo::output;
  EXPECT_TRUE(check(rule, {2.0}, truth_of({1.0})).passed());
  EXPECT_FALSE(check(rule, {1.0}, truth_of({2.0})).passed());
}

TEST(ContractRule, AMatchedRatioForgivesSomeElements) {
  OutputRule rule = contract_rule(CompareRule::absolute, 0.1, 0.0, 10);
  rule.compare.matched_ratio = 0.8;
  std::vector<double> found(10, 1.0);
  found[3] = found[7] = 9.0;
  const Truth truth = truth_of(std::vector<double>(10, 1.0));
  EXPECT_TRUE(check(rule, found, truth).passed());
  found[9] = 9.0;
  const CheckResult result = check(rule, found, truth);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->index, 3u);
  rule.compare.matched_ratio = 1.0;
  found.assign(10, 1.0);
  found[0] = 1.2;
  EXPECT_FALSE(check(rule, found, truth).passed());
}

TEST(ContractRule, ACeilingForgivesNobody) {
  OutputRule rule = contract_rule(CompareRule::absolute, 0.1, 0.0, 10);
  rule.compare.matched_ratio = 0.5;
  rule.compare.ceiling = 4.0;
  std::vector<double> found(10, 1.0);
  const Truth truth = truth_of(std::vector<double>(10, 1.0));
  found[2] = 1.39;
  EXPECT_TRUE(check(rule, found, truth).passed());
  found[2] = 1.41;
  EXPECT_FALSE(check(rule, found, truth).passed());
}

TEST(ContractRule, StandsBesideTheBoundNotInItsPlace) {
  OutputRule rule = rule_of(DType::f64, 1);
  rule.compare.rule = CompareRule::absolute;
  rule.compare.absolute_tolerance = 10.0;
  EXPECT_FALSE(check(rule, {2.0}, truth_of({1.0}, {1.0})).passed()) << "a generous rule does not lift the bound";
  rule.compare.absolute_tolerance = 1e-18;
  EXPECT_FALSE(check(rule, {1.0 + 0x1p-52}, truth_of({1.0}, {1.0})).passed()) << "a strict rule counts too";
}

// ---- properties
// -------------------------------------------------------------------------------------------------------------------------

struct Shape {
  DType dtype;
  uint64_t terms;
  double scale;
};

class Properties : public testing::TestWithParam<Shape> {
 protected:
  static constexpr uint64_t k_count = 257;
  OutputRule rule() const {
    OutputRule rule = rule_of(GetParam().dtype, k_count);
    rule.terms = GetParam().terms;
    return rule;
  }
  Truth truth(uint64_t seed) const {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal(0.0, GetParam().scale);
    Truth truth;
    for (uint64_t i = 0; i < k_count; ++i) {
      truth.values.push_back(normal(engine));
      truth.magnitudes.push_back(std::abs(truth.values.back()) + GetParam().scale);
    }
    return truth;
  }
};

TEST_P(Properties, TheRoundedTruthAlwaysPasses) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const Truth truth = this->truth(seed);
    const CheckResult result = check_output(rule(), rounded(rule(), truth), truth, std::nullopt);
    EXPECT_TRUE(result.passed()) << seed;
    EXPECT_EQ(result.compared, k_count);
  }
}

TEST_P(Properties, OneElementThreeBoundsOffAlwaysFails) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const Truth truth = this->truth(seed);
    const uint64_t at = seed * 37 % k_count;
    Truth off = truth;
    off.values[at] += (seed % 2 == 0 ? 3.0 : -3.0) * error_bound(rule(), truth.values[at], truth.magnitudes[at]);
    const CheckResult result = check_output(rule(), rounded(rule(), off), truth, std::nullopt);
    ASSERT_TRUE(result.failure) << seed;
    EXPECT_EQ(result.failure->index, at);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Properties,
                         testing::Values(Shape{DType::f64, 1, 1.0}, Shape{DType::f32, 1, 1.0},
                                         Shape{DType::f32, 4096, 100.0}, Shape{DType::f32, 64, 1e-40},
                                         Shape{DType::f16, 64, 1.0}, Shape{DType::bf16, 64, 1e4},
                                         Shape{DType::bf16, 1, 1e-36}));

// ---- pairs
// ------------------------------------------------------------------------------------------------------------------------------

TEST(PairAgrees, WithinTwiceTheBoundAtTheLargestValues) {
  const OutputRule rule = rule_of(DType::f64, 1);
  const PairScale scale{10.0, 20.0, std::nullopt};
  const double bound = 2 * error_bound(rule, 10.0, 20.0);
  EXPECT_TRUE(pair_agrees(rule, raw<double>({1.0}), raw<double>({1.0 + 0.9 * bound}), scale));
  EXPECT_FALSE(pair_agrees(rule, raw<double>({1.0}), raw<double>({1.0 + 1.1 * bound}), scale));
}

TEST(PairAgrees, WithoutMagnitudesByTheLargestErrorOfV0) {
  const OutputRule rule = rule_of(DType::f32, 1);
  const PairScale scale{1.0, 0.0, 0.01};
  EXPECT_TRUE(pair_agrees(rule, raw<float>({1.0f}), raw<float>({1.15f}), scale));  // 2·8·0.01 = 0.16
  EXPECT_FALSE(pair_agrees(rule, raw<float>({1.0f}), raw<float>({1.17f}), scale));
}

TEST(PairAgrees, UnderABaselineByTwiceTheContractsRule) {
  const OutputRule rule = contract_rule(CompareRule::allclose, 0.1, 0.01);
  const PairScale scale{10.0, 0.0, std::nullopt};
  EXPECT_TRUE(pair_agrees(rule, raw<double>({5.0}), raw<double>({5.39}), scale));  // 2·(0.1 + 0.1)
  EXPECT_FALSE(pair_agrees(rule, raw<double>({5.0}), raw<double>({5.41}), scale));
}

TEST(PairAgrees, NeverOnPoisonNorNaN) {
  const OutputRule rule = rule_of(DType::f32, 2);
  const auto nan = raw<float>({1.0f, std::numeric_limits<float>::quiet_NaN()});
  EXPECT_FALSE(pair_agrees(rule, nan, nan, {1e9, 1e9, std::nullopt}));
  OutputRule masks = rule;
  masks.compare.nonfinite = task::NonFinite::equal_masks;
  EXPECT_TRUE(pair_agrees(masks, nan, nan, {1e9, 1e9, std::nullopt})) << "where the contract expects it";
  EXPECT_FALSE(pair_agrees(masks, nan, raw<float>({1.0f, 1.0f}), {1e9, 1e9, std::nullopt}));
}

TEST(PairAgrees, OnEqualInfinitiesAlone) {
  const OutputRule rule = rule_of(DType::f32, 1);
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(pair_agrees(rule, raw<float>({infinity}), raw<float>({infinity}), {1, 1, std::nullopt}));
  EXPECT_FALSE(pair_agrees(rule, raw<float>({infinity}), raw<float>({-infinity}), {1, 1, std::nullopt}));
  EXPECT_FALSE(pair_agrees(rule, raw<float>({infinity}), raw<float>({1}), {1, 1, std::nullopt}));
}

TEST(PairAgrees, ExactlyForIntegersAndNeverOnNothing) {
  const OutputRule rule = rule_of(DType::i32, 1);
  EXPECT_TRUE(pair_agrees(rule, raw<int>({7}), raw<int>({7}), {}));
  EXPECT_FALSE(pair_agrees(rule, raw<int>({7}), raw<int>({8}), {1e9, 1e9, std::nullopt}));
  EXPECT_FALSE(pair_agrees(rule, {}, {}, {}));
  EXPECT_FALSE(pair_agrees(rule, raw<int>({7}), raw<int>({7, 7}), {}));
}

// ---- usable truths
// ----------------------------------------------------------------------------------------------------------------------

TEST(AllFinite, AsksForWhatTheOutputsTypeCanHold) {
  EXPECT_TRUE(all_finite(truth_of({65504.0}), DType::f16));
  EXPECT_FALSE(all_finite(truth_of({65600.0}), DType::f16));
  EXPECT_TRUE(all_finite(truth_of({3.3e38}), DType::f32));
  EXPECT_FALSE(all_finite(truth_of({3.5e38}), DType::f32));
  EXPECT_FALSE(all_finite(truth_of({k_nan}), DType::f64));
  EXPECT_FALSE(all_finite(truth_of({1.0}, {k_infinity}), DType::f32));
  EXPECT_TRUE(all_finite({{}, {}, raw<int>({1})}, DType::i32));
}

// What the policy does not speak of is asked as everywhere.
TEST(AllFinite, IsAskedOfAllThatThePolicyDoesNotAllow) {
  for (const task::NonFinite policy : {task::NonFinite::none, task::NonFinite::equal_masks}) {
    EXPECT_TRUE(is_usable(truth_of({65504.0}, {65504.0}), DType::f16, policy));
    EXPECT_FALSE(is_usable(truth_of({65600.0}, {1.0}), DType::f16, policy));
    EXPECT_FALSE(is_usable(truth_of({1.0}, {65600.0}), DType::f16, policy));
    EXPECT_FALSE(is_usable(truth_of({1.0, 1.0}, {1.0, k_nan}), DType::f16, policy));
  }
}

TEST(IsSensitive, WhereAConstantWouldBeToldApart) {
  EXPECT_FALSE(is_sensitive(truth_of({0, 0, 0})));
  EXPECT_FALSE(is_sensitive(truth_of({2, 2, 2})));
  EXPECT_TRUE(is_sensitive(truth_of({2, 2, 3})));
  EXPECT_FALSE(is_sensitive({{}, {}, raw<int>({0, 0})}));
  EXPECT_TRUE(is_sensitive({{}, {}, raw<int>({0, 1})}));
}

}  // namespace
}  // namespace hone::judge
