// Every distribution is what its name says, for every floating type: tables of what must hold of the generated content.
#include "device/distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "device/fill.h"

namespace hone::device {
namespace {

using task::DType;

constexpr uint64_t k_rows = 300;
constexpr uint64_t k_columns = 40;

struct Type {
  DType dtype;
  double smallest_normal;
  double largest;
  double offset;
  double alternation;
};

constexpr Type k_types[] = {{DType::f64, 0x1p-1022, 0x1.fffffffffffffp1023, 1000, 0x1p26},
                            {DType::f32, 0x1p-126, 0x1.fffffep127, 1000, 0x1p12},
                            {DType::f16, 0x1p-14, 65504, 1000, 0x1p5},
                            {DType::bf16, 0x1p-126, 0x1.fep127, 100, 0x1p4}};

class Distributions : public testing::TestWithParam<Type> {
 protected:
  std::vector<double> draw(Distribution distribution, uint64_t argument = 0) const {
    FillPlan plan;
    plan.dtype = GetParam().dtype;
    plan.count = k_rows * k_columns;
    plan.row_length = k_columns;
    plan.fill.kind = task::FillKind::uniform;
    plan.distribution = distribution;
    std::vector<std::byte> bytes(plan.count * task::size_bytes(plan.dtype));
    fill(bytes, plan, sha256("distributions"), static_cast<uint32_t>(argument));
    std::vector<double> values(plan.count);
    widen(bytes, plan.dtype, values);
    return values;
  }
  // One number for each row.
  template <class Of>
  static std::vector<double> of_rows(const std::vector<double>& values, Of of) {
    std::vector<double> out;
    for (uint64_t row = 0; row < k_rows; ++row) {
      const auto begin = values.begin() + static_cast<ptrdiff_t>(row * k_columns);
      out.push_back(of(std::vector<double>(begin, begin + k_columns)));
    }
    return out;
  }
  double ulp(double at) const { return 2 * task::unit_roundoff(GetParam().dtype) * at; }
};

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value / static_cast<double>(values.size());
  return sum;
}

double rms_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value / static_cast<double>(values.size());
  return std::sqrt(sum);
}

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

// A standard error of 0.009; 68.3 % of a normal lies within one deviation, of a uniform of the same spread 57.7 %.
TEST_P(Distributions, NormalIsNormal) {
  const auto values = draw(Distribution::normal);
  EXPECT_NEAR(mean_of(values), 0, 0.05);
  EXPECT_NEAR(rms_of(values), 1, 0.04);
  const auto within = std::count_if(values.begin(), values.end(), [](double v) { return std::abs(v) <= 1; });
  EXPECT_NEAR(static_cast<double>(within) / static_cast<double>(values.size()), 0.683, 0.02);
  EXPECT_GT(largest_of(values), 3.3);
}

TEST_P(Distributions, UniformWithOffsetHasAMeanFarAboveItsSpread) {
  const auto values = draw(Distribution::uniform_offset);
  const double offset = GetParam().offset;
  EXPECT_NEAR(mean_of(values), offset + 0.5, 0.02 + ulp(offset));
  for (const double value : values) {
    ASSERT_GE(value, offset);
    ASSERT_LE(value, offset + 1);
  }
  EXPECT_GE(std::set<double>(values.begin(), values.end()).size(), 2u) << "the type still tells them apart";
}

// Cauchy: half of it lies within 1, a tenth beyond 6.3, and 0.6 % beyond 100.
TEST_P(Distributions, HeavyTailsAreCauchys) {
  const auto values = draw(Distribution::heavy_tail);
  const auto beyond = [&](double x) {
    return static_cast<double>(std::count_if(values.begin(), values.end(), [x](double v) { return std::abs(v) > x; })) /
           static_cast<double>(values.size());
  };
  EXPECT_NEAR(beyond(1), 0.5, 0.02);
  EXPECT_NEAR(beyond(6.314), 0.1, 0.015);
  EXPECT_NEAR(beyond(100), 0.0064, 0.004);
  EXPECT_LE(largest_of(values), 1000);
}

TEST_P(Distributions, MixedMagnitudesDifferByRowsFromTwoToTheMinusTenToTen) {
  const auto scales = of_rows(draw(Distribution::mixed_magnitudes), rms_of);
  std::set<int> exponents;
  for (const double scale : scales) exponents.insert(static_cast<int>(std::lround(std::log2(scale))));
  EXPECT_LE(*exponents.begin(), -9);
  EXPECT_GE(*exponents.rbegin(), 9);
  EXPECT_GE(exponents.size(), 19u);
}

TEST_P(Distributions, SparseIsNineTenthsZeros) {
  const auto values = draw(Distribution::sparse);
  const auto zeros = std::count(values.begin(), values.end(), 0.0);
  EXPECT_NEAR(static_cast<double>(zeros) / static_cast<double>(values.size()), 0.9, 0.015);
  EXPECT_GT(largest_of(values), 0.95);
  EXPECT_LE(largest_of(values), 1);
}

TEST_P(Distributions, AllEqualIsOneValueAndAnotherForAnotherArgument) {
  const auto values = draw(Distribution::all_equal);
  EXPECT_EQ(std::set<double>(values.begin(), values.end()).size(), 1u);
  EXPECT_NE(values.front(), draw(Distribution::all_equal, 1).front());
}

TEST_P(Distributions, AlternatingCancels) {
  const auto values = draw(Distribution::alternating);
  const double large = GetParam().alternation;
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(std::signbit(values[i]), i % 2 == 1) << i;
    ASSERT_NEAR(std::abs(values[i]), large, 1 + ulp(large));
  }
  for (size_t i = 0; i < 20; i += 2) EXPECT_LE(std::abs(values[i] + values[i + 1]), 2 + 2 * ulp(large));
  EXPECT_GT(rms_of(of_rows(values, mean_of)), 1e-3) << "what is left is not nothing";
}

TEST_P(Distributions, DenormalsLieBelowTheSmallestNormalNumberAndAreNotZero) {
  const auto values = draw(Distribution::denormal);
  for (const double value : values) {
    ASSERT_LT(std::abs(value), GetParam().smallest_normal);
    ASSERT_NE(value, 0.0);
  }
  EXPECT_GE(std::set<double>(values.begin(), values.end()).size(), GetParam().dtype == DType::bf16 ? 100u : 1000u);
}

TEST_P(Distributions, NearOverflowReachesAQuarterOfTheLargestNumber) {
  const auto values = draw(Distribution::near_overflow);
  EXPECT_GT(largest_of(values), GetParam().largest / 4 * 0.99);
  EXPECT_LE(largest_of(values), GetParam().largest / 4);
  EXPECT_GT(std::count_if(values.begin(), values.end(), [](double v) { return v < 0; }), 5000);
}

TEST_P(Distributions, SmallIntegersAreTheSeventeenAboutZero) {
  std::map<double, int> counts;
  for (const double value : draw(Distribution::small_integers)) ++counts[value];
  ASSERT_EQ(counts.size(), 17u);
  for (int value = -8; value <= 8; ++value) EXPECT_NEAR(counts.at(value), 12000 / 17, 140) << value;
}

// Ten kinds of rows, told apart by what only they have.
TEST_P(Distributions, IllConditionedMixesRowsOfEveryKind) {
  const auto values = draw(Distribution::ill_conditioned);
  const Type& type = GetParam();
  std::map<std::string, int> kinds;
  for (uint64_t row = 0; row < k_rows; ++row) {
    const auto begin = values.begin() + static_cast<ptrdiff_t>(row * k_columns);
    const std::vector<double> one(begin, begin + k_columns);
    const double largest = largest_of(one);
    const bool whole =
        std::all_of(one.begin(), one.end(), [](double v) { return v == std::round(v) && std::abs(v) <= 8; });
    const auto zeros = std::count(one.begin(), one.end(), 0.0);
    if (std::set<double>(one.begin(), one.end()).size() == 1)
      ++kinds["equal"];
    else if (largest < type.smallest_normal)
      ++kinds["denormal"];
    else if (largest > type.largest / 16)
      ++kinds["overflow"];
    else if (zeros > 25)
      ++kinds["sparse"];
    else if (whole)
      ++kinds["integers"];
    else if (mean_of(one) >= type.offset)
      ++kinds["offset"];
  }
  for (const char* kind : {"equal", "denormal", "overflow", "sparse", "integers", "offset"})
    EXPECT_NEAR(kinds[kind], 30, 22) << kind;
}

TEST_P(Distributions, EveryValueIsFinite) {
  for (const auto& row : EnumNames<Distribution>::table) {
    for (const double value : draw(row.value)) ASSERT_LE(std::abs(value), GetParam().largest) << row.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Distributions, testing::ValuesIn(k_types),
                         [](const auto& one) { return std::string(name_of(one.param.dtype)); });

// Integers may be indices: whatever the name, the contract's range holds, and what a range can show of the name it
// does.
class OfIntegers : public testing::TestWithParam<DType> {
 protected:
  std::vector<double> draw(Distribution distribution, double low, double high) const {
    FillPlan plan;
    plan.dtype = GetParam();
    plan.count = 4000;
    plan.row_length = k_columns;
    plan.fill.kind = task::FillKind::integers;
    plan.fill.low = low;
    plan.fill.high = high;
    plan.distribution = distribution;
    std::vector<std::byte> bytes(plan.count * task::size_bytes(plan.dtype));
    fill(bytes, plan, sha256("integers"), 0);
    std::vector<double> values(plan.count);
    widen(bytes, plan.dtype, values);
    return values;
  }
};

TEST_P(OfIntegers, StayInsideTheContractsRange) {
  for (const auto& row : EnumNames<Distribution>::table) {
    for (const double value : draw(row.value, 3, 100)) {
      ASSERT_GE(value, 3) << row.name;
      ASSERT_LE(value, 100) << row.name;
    }
  }
}

TEST_P(OfIntegers, ShowWhatTheRangeAllows) {
  const auto sparse = draw(Distribution::sparse, 0, 100);
  EXPECT_GT(std::count(sparse.begin(), sparse.end(), 0.0), 3500);
  const auto equal = draw(Distribution::all_equal, 0, 100);
  EXPECT_EQ(std::set<double>(equal.begin(), equal.end()).size(), 1u);
  EXPECT_GE(mean_of(draw(Distribution::uniform_offset, 0, 100)), 90);
  EXPECT_LE(largest_of(draw(Distribution::small_integers, 0, 100)), 8);
  EXPECT_GE(mean_of(draw(Distribution::near_overflow, 0, 100)), 80);
  const auto alternating = draw(Distribution::alternating, 0, 100);
  EXPECT_GT(alternating[0], 98);
  EXPECT_LT(alternating[1], 2);
  EXPECT_NEAR(mean_of(draw(Distribution::normal, 0, 100)), 50, 2);
}

INSTANTIATE_TEST_SUITE_P(Types, OfIntegers,
                         testing::Values(DType::i64, DType::i32, DType::i16, DType::i8, DType::u64, DType::u32,
                                         DType::u16, DType::u8),
                         [](const auto& one) { return std::string(name_of(one.param)); });

}  // namespace
}  // namespace hone::device
