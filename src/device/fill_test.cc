#include "device/fill.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "base/disk.h"
#include "base/text.h"
#include "device/distribution.h"

namespace hone::device {
namespace {

using task::DType;
using task::FillKind;

constexpr uint64_t k_count = 1000;

FillPlan plan_of(DType dtype, FillKind kind, uint64_t count = k_count) {
  FillPlan plan;
  plan.dtype = dtype;
  plan.count = count;
  plan.row_length = 37;
  plan.fill.kind = kind;
  plan.fill.value = 2.5;
  if (kind == FillKind::integers) plan.fill.low = 0, plan.fill.high = 100;
  return plan;
}

FillPlan plan_of(DType dtype, Distribution distribution, uint64_t count = k_count) {
  FillPlan plan = plan_of(dtype, task::is_floating(dtype) ? FillKind::uniform : FillKind::integers, count);
  plan.distribution = distribution;
  return plan;
}

std::vector<std::byte> filled(const FillPlan& plan, std::string_view secret = "golden", uint32_t argument = 3) {
  std::vector<std::byte> out(plan.count * task::size_bytes(plan.dtype));
  fill(out, plan, sha256(secret), argument);
  return out;
}

std::vector<double> values_of(const FillPlan& plan) {
  std::vector<double> values(plan.count);
  widen(filled(plan), plan.dtype, values);
  return values;
}

std::vector<DType> all_types() {
  std::vector<DType> types;
  for (const auto& row : EnumNames<DType>::table) types.push_back(row.value);
  return types;
}

// Every plan that the golden file knows, by name.
std::map<std::string, FillPlan> golden_plans() {
  std::map<std::string, FillPlan> plans;
  for (const DType dtype : all_types()) {
    const std::string suffix = " " + std::string(name_of(dtype));
    for (const FillKind kind : {FillKind::constant, FillKind::uniform, FillKind::normal, FillKind::integers}) {
      plans["fill." + std::string(name_of(kind)) + suffix] = plan_of(dtype, kind);
    }
    for (const auto& row : EnumNames<Distribution>::table) {
      if (row.value != Distribution::contract) plans[std::string(row.name) + suffix] = plan_of(dtype, row.value);
    }
  }
  return plans;
}

std::map<std::string, std::string> golden_hashes() {
  const auto text = read_file(std::string(HONE_SOURCE_DIR) + "/src/device/fill_golden.txt");
  std::map<std::string, std::string> hashes;
  for (const std::string& line : split_lines(text ? *text : std::string())) {
    const size_t at = line.rfind(' ');
    if (!line.starts_with("#") && at != std::string::npos) hashes[line.substr(0, at)] = line.substr(at + 1);
  }
  return hashes;
}

// The bytes are part of every recorded verdict. HONE_PRINT_GOLDEN=1 prints the file's new lines.
TEST(Fill, BytesAreTheGoldenOnes) {
  std::map<std::string, std::string> found;
  for (const auto& [name, plan] : golden_plans()) found[name] = sha256(Bytes(filled(plan))).hex().substr(0, 16);
  if (std::getenv("HONE_PRINT_GOLDEN") != nullptr) {
    for (const auto& [name, hash] : found) std::cout << name << ' ' << hash << '\n';
  }
  EXPECT_EQ(found, golden_hashes());
}

TEST(Fill, AnElementDoesNotDependOnTheCount) {
  for (const auto& [name, plan] : golden_plans()) {
    const auto whole = filled(plan);
    for (const uint64_t count : {uint64_t{0}, uint64_t{1}, uint64_t{255}, uint64_t{257}}) {
      FillPlan part = plan;
      part.count = count;
      const auto start = filled(part);
      ASSERT_TRUE(std::equal(start.begin(), start.end(), whole.begin())) << name << " " << count;
    }
  }
}

TEST(Fill, KeysAndArgumentsSeparateContents) {
  for (const DType dtype : all_types()) {
    const FillPlan plan = plan_of(dtype, Distribution::normal);
    EXPECT_NE(filled(plan, "a"), filled(plan, "b")) << name_of(dtype);
    EXPECT_NE(filled(plan, "a", 0), filled(plan, "a", 1)) << name_of(dtype);
    EXPECT_EQ(filled(plan, "a", 1), filled(plan, "a", 1)) << name_of(dtype);
  }
}

TEST(Fill, EveryUsedByteOfTheKeyCounts) {
  const FillPlan plan = plan_of(DType::f32, FillKind::uniform);
  std::set<std::vector<std::byte>> contents;
  for (size_t byte = 0; byte < 16; ++byte) {
    Digest key = sha256("key");
    key.bytes[byte] ^= 1;
    std::vector<std::byte> out(plan.count * 4);
    fill(out, plan, key, 0);
    contents.insert(out);
  }
  EXPECT_EQ(contents.size(), 16u);
}

// The definition of fill.h, computed the long way.
// The block of element i and its words, for an element that takes `words` of them (device/fill.h).
PhiloxBlock block_of(uint64_t i, uint64_t words) {
  constexpr PhiloxStream stream{{0x03020100, 0x07060504}, {0x0b0a0908 ^ 9, 0x0f0e0d0c}};
  const uint64_t tile = i / 256;
  const PhiloxBlock whole = philox_block(stream, 256 * (tile * words / 4) + i % 256);
  PhiloxBlock own{};
  std::copy_n(whole.begin() + static_cast<long>(words * (tile % (4 / words))), words, own.begin());
  return own;
}

std::vector<double> filled_with_that_key(const FillPlan& plan) {
  Digest key;
  for (size_t byte = 0; byte < 32; ++byte) key.bytes[byte] = static_cast<uint8_t>(byte);
  std::vector<std::byte> out(plan.count * task::size_bytes(plan.dtype));
  fill(out, plan, key, 9);
  std::vector<double> values(plan.count);
  widen(out, plan.dtype, values);
  return values;
}

constexpr uint64_t k_probes[] = {0, 1, 255, 256, 511, 512, 1023, 1024, 2047, 4999};

// Keys of one block differ in their first half alone.
TEST(Fill, WhatIsTheSameInABlockFollowsTheBlockAlone) {
  const Digest block = sha256("block");
  const Digest one = in_block(sha256("one"), block);
  const Digest two = in_block(sha256("two"), block);
  const Digest elsewhere = in_block(sha256("one"), sha256("another block"));
  EXPECT_EQ(block_key(one), block_key(two));
  EXPECT_EQ(in_block(one, block_key(one)), one);
  FillPlan plan = plan_of(DType::f32, FillKind::uniform);
  const auto made = [&](const Digest& key) {
    std::vector<std::byte> bytes(plan.count * 4);
    fill(bytes, plan, key, 3);
    return bytes;
  };
  EXPECT_NE(made(one), made(two));
  EXPECT_EQ(made(one), made(elsewhere));
  plan.same_in_block = true;
  EXPECT_EQ(made(one), made(two));
  EXPECT_NE(made(one), made(elsewhere));
  EXPECT_EQ(element_stream(element_key(plan, one), 3).key, element_stream(element_key(plan, two), 3).key);
}

TEST(Fill, UniformIsTheTopBitsOfOneWord) {
  FillPlan plan = plan_of(DType::f32, FillKind::uniform, 5000);
  plan.fill.low = -2.0;
  plan.fill.high = 5.0;
  const auto values = filled_with_that_key(plan);
  for (const uint64_t i : k_probes) {
    const double value = -2.0 + 7.0 * (static_cast<double>(block_of(i, 1)[0] >> 8) / 16777216.0);
    EXPECT_EQ(values[i], static_cast<double>(static_cast<float>(value))) << i;
  }
}

TEST(Fill, IntegersTakeOneWordOrTwo) {
  FillPlan plan = plan_of(DType::i32, FillKind::integers, 5000);
  plan.fill.low = -5;
  plan.fill.high = 65530;
  const auto few = filled_with_that_key(plan);
  plan.fill.high = 65531;
  const auto many = filled_with_that_key(plan);
  for (const uint64_t i : k_probes) {
    EXPECT_EQ(few[i], static_cast<double>(uint64_t{block_of(i, 1)[0]} * 65536 >> 32) - 5) << i;
    const PhiloxBlock words = block_of(i, 2);
    const auto wide = static_cast<Unsigned128>(uint64_t{words[1]} << 32 | words[0]);
    EXPECT_EQ(many[i], static_cast<double>(static_cast<uint64_t>(wide * 65537 >> 64)) - 5) << i;
  }
}

TEST(Fill, NormalTakesAWholeBlock) {
  const auto values = filled_with_that_key(plan_of(DType::f64, FillKind::normal, 5000));
  for (const uint64_t i : k_probes) EXPECT_EQ(values[i], unit_normal(block_of(i, 4))) << i;
}

struct Moments {
  double mean = 0;
  double deviation = 0;
  double least = INFINITY;
  double most = -INFINITY;
};

Moments moments_of(const std::vector<double>& values) {
  Moments m;
  for (const double value : values) m.mean += value / static_cast<double>(values.size());
  for (const double value : values) {
    m.deviation += (value - m.mean) * (value - m.mean) / static_cast<double>(values.size());
    m.least = std::min(m.least, value);
    m.most = std::max(m.most, value);
  }
  m.deviation = std::sqrt(m.deviation);
  return m;
}

// The key is fixed, so the figures are too; the bounds are five standard errors.
TEST(Fill, MomentsAreThoseOfTheDistribution) {
  const double n = 100000;
  const Moments uniform = moments_of(values_of(plan_of(DType::f64, FillKind::uniform, 100000)));
  EXPECT_NEAR(uniform.mean, 0.0, 5 * std::sqrt(1.0 / 3.0 / n));
  EXPECT_NEAR(uniform.deviation, std::sqrt(1.0 / 3.0), 0.005);
  EXPECT_GE(uniform.least, -1.0);
  EXPECT_LT(uniform.most, 1.0);

  FillPlan plan = plan_of(DType::f64, FillKind::normal, 100000);
  plan.fill.mean = 3.0;
  plan.fill.deviation = 2.0;
  const Moments normal = moments_of(values_of(plan));
  EXPECT_NEAR(normal.mean, 3.0, 5 * 2.0 / std::sqrt(n));
  EXPECT_NEAR(normal.deviation, 2.0, 0.03);
  EXPECT_GT(normal.most, 3.0 + 2.0 * 3.5);
  EXPECT_LE(normal.most, 3.0 + 2.0 * 4.9);
}

TEST(Fill, NormalDeviationConstantIsExact) {
  EXPECT_EQ(k_normal_scale, 1.0 / std::sqrt(8.0 * (65536.0 * 65536.0 - 1.0) / 12.0));
  EXPECT_EQ(unit_normal({0, 0, 0, 0}), -unit_normal({~0u, ~0u, ~0u, ~0u}));
}

TEST(Fill, IntegersReachBothEndsAndNoFurther) {
  for (const DType dtype : all_types()) {
    if (dtype == DType::boolean) continue;
    FillPlan plan = plan_of(dtype, FillKind::integers, 20000);
    plan.fill.low = 3;
    plan.fill.high = 7;
    std::map<double, int> counts;
    for (const double value : values_of(plan)) ++counts[value];
    ASSERT_EQ(counts.size(), 5u) << name_of(dtype);
    EXPECT_EQ(counts.begin()->first, 3.0);
    EXPECT_EQ(counts.rbegin()->first, 7.0);
    for (const auto& [value, count] : counts) EXPECT_NEAR(count, 4000, 300) << value;
  }
}

TEST(Fill, RangesAreClippedToTheType) {
  FillPlan plan = plan_of(DType::u8, FillKind::integers, 5000);
  plan.fill.low = -1000;
  plan.fill.high = 1e30;
  const Moments bytes = moments_of(values_of(plan));
  EXPECT_EQ(bytes.least, 0.0);
  EXPECT_EQ(bytes.most, 255.0);
  plan.dtype = DType::boolean;
  const Moments coins = moments_of(values_of(plan));
  EXPECT_NEAR(coins.mean, 0.5, 0.05);
  EXPECT_EQ(coins.most, 1.0);
}

TEST(Fill, TheWholeRangeOf64BitsIsDrawn) {
  FillPlan plan = plan_of(DType::i64, FillKind::integers);
  plan.fill.low = -1e19;
  plan.fill.high = 1e19;
  const Moments m = moments_of(values_of(plan));
  EXPECT_LT(m.least, -0x1p62);
  EXPECT_GT(m.most, 0x1p62);
}

// An integer argument may be an index: no distribution may leave what the contract allows.
TEST(Fill, IntegerDistributionsStayInsideTheContract) {
  for (const auto& row : EnumNames<Distribution>::table) {
    for (const DType dtype : {DType::i32, DType::u16, DType::i64}) {
      FillPlan plan = plan_of(dtype, row.value, 3000);
      plan.fill.low = 5;
      plan.fill.high = 99;
      const Moments m = moments_of(values_of(plan));
      EXPECT_GE(m.least, 5.0) << row.name;
      EXPECT_LE(m.most, 99.0) << row.name;
    }
  }
}

TEST(Fill, DenormalsAreDenormal) {
  struct Row {
    DType dtype;
    double below;
    double least;
  };
  for (const Row& row : {Row{DType::f64, 0x1p-1022, 0x1p-1026}, Row{DType::f32, 0x1p-126, 0x1p-130},
                         Row{DType::f16, 0x1p-14, 0x1p-18}, Row{DType::bf16, 0x1p-126, 0x1p-130}}) {
    bool seen[2] = {false, false};
    for (const double value : values_of(plan_of(row.dtype, Distribution::denormal))) {
      ASSERT_LT(std::abs(value), row.below) << name_of(row.dtype);
      ASSERT_GE(std::abs(value), row.least) << name_of(row.dtype);
      seen[value < 0] = true;
    }
    EXPECT_TRUE(seen[0] && seen[1]);
  }
}

TEST(Fill, NearOverflowIsLargeAndFinite) {
  const std::map<DType, double> largest = {{DType::f64, 0x1.fffffffffffffp1023},
                                           {DType::f32, 0x1.fffffep127},
                                           {DType::f16, 65504.0},
                                           {DType::bf16, 0x1.fep127}};
  for (const auto& [dtype, most] : largest) {
    const Moments m = moments_of(values_of(plan_of(dtype, Distribution::near_overflow)));
    EXPECT_LE(m.most, most / 4) << name_of(dtype);
    EXPECT_GT(m.most, most / 5) << name_of(dtype);
    EXPECT_LT(m.least, -most / 5) << name_of(dtype);
  }
}

TEST(Fill, StructuredDistributionsHaveTheirStructure) {
  const auto sparse = values_of(plan_of(DType::f32, Distribution::sparse, 20000));
  EXPECT_NEAR(static_cast<double>(std::count(sparse.begin(), sparse.end(), 0.0)), 18000, 250);

  const auto equal = values_of(plan_of(DType::f32, Distribution::all_equal));
  EXPECT_EQ(std::set<double>(equal.begin(), equal.end()).size(), 1u);

  const auto alternating = values_of(plan_of(DType::f32, Distribution::alternating));
  for (size_t i = 0; i < alternating.size(); ++i) {
    const double residue = alternating[i] - (i % 2 == 0 ? 4096.0 : -4096.0);
    EXPECT_LE(std::abs(residue), 1.0);
  }
  const Moments offset = moments_of(values_of(plan_of(DType::f32, Distribution::uniform_offset)));
  EXPECT_GE(offset.least, 1000.0);
  EXPECT_LE(offset.most, 1001.0);

  const Moments heavy = moments_of(values_of(plan_of(DType::f32, Distribution::heavy_tail, 20000)));
  EXPECT_GT(heavy.most, 100.0);
  EXPECT_LE(heavy.most, 1000.0);

  const auto small = values_of(plan_of(DType::f16, Distribution::small_integers));
  const std::set<double> distinct(small.begin(), small.end());
  EXPECT_EQ(distinct.size(), 17u);
  EXPECT_EQ(*distinct.begin(), -8.0);
}

double largest_magnitude(const std::vector<double>& values, size_t first, size_t length) {
  double largest = 0;
  for (size_t i = first; i < first + length; ++i) largest = std::max(largest, std::abs(values[i]));
  return largest;
}

TEST(Fill, RowsDifferInMagnitude) {
  const auto values = values_of(plan_of(DType::f64, Distribution::mixed_magnitudes, 3700));
  double least = INFINITY;
  double most = 0;
  for (size_t row = 0; row < 100; ++row) {
    least = std::min(least, largest_magnitude(values, row * 37, 37));
    most = std::max(most, largest_magnitude(values, row * 37, 37));
  }
  EXPECT_LT(least, 0.01);
  EXPECT_GT(most, 500.0);
}

TEST(Fill, IllConditionedRowsAreOfEveryKind) {
  const auto values = values_of(plan_of(DType::f32, Distribution::ill_conditioned, 37 * 200));
  int denormal_rows = 0;
  int huge_rows = 0;
  for (size_t row = 0; row < 200; ++row) {
    const double largest = largest_magnitude(values, row * 37, 37);
    denormal_rows += largest < 0x1p-126;
    huge_rows += largest > 1e30;
  }
  EXPECT_GT(denormal_rows, 5);
  EXPECT_GT(huge_rows, 5);
}

TEST(Fill, FixedContentsAreTakenAsTheyAre) {
  EXPECT_EQ(values_of(plan_of(DType::f32, FillKind::constant, 3)), (std::vector<double>{2.5, 2.5, 2.5}));
  EXPECT_EQ(values_of(plan_of(DType::i32, FillKind::constant, 3)), (std::vector<double>{2, 2, 2}));  // tie to even
  EXPECT_EQ(values_of(plan_of(DType::boolean, FillKind::constant, 2)), (std::vector<double>{1, 1}));

  FillPlan formula = plan_of(DType::i16, FillKind::formula, 300);
  for (int i = 0; i < 300; ++i) formula.formula_values.push_back(i * 1000.0);
  EXPECT_EQ(values_of(formula)[7], 7000.0);
  EXPECT_EQ(values_of(formula)[299], 32767.0);

  FillPlan file = plan_of(DType::u16, FillKind::file, 2);
  file.bytes =
      std::make_shared<std::vector<std::byte>>(std::vector{std::byte{1}, std::byte{0}, std::byte{2}, std::byte{1}});
  EXPECT_EQ(values_of(file), (std::vector<double>{1, 258}));
}

TEST(Fill, PlansKeepWhatTheContractFixes) {
  task::Argument argument;
  argument.dtype = DType::f16;
  argument.fill.kind = FillKind::uniform;
  task::BoundArgument bound;
  bound.argument = &argument;
  bound.shape = {4, 6};
  bound.count = 24;
  bound.bytes = 48;
  const FillPlan free = plan_for(bound, Distribution::denormal);
  EXPECT_EQ(free.distribution, Distribution::denormal);
  EXPECT_EQ(free.row_length, 6u);
  EXPECT_EQ(free.count, 24u);
  bound.bytes = 94;  // every second element
  EXPECT_EQ(plan_for(bound, Distribution::normal).count, 47u);
  argument.fill.kind = FillKind::formula;
  EXPECT_EQ(plan_for(bound, Distribution::denormal).distribution, Distribution::contract);
  bound.shape = {};
  EXPECT_EQ(plan_for(bound, Distribution::normal).row_length, 1u);
}

TEST(Poison, FloatingTypesHoldQuietNansWithAPayload) {
  const std::map<DType, uint64_t> quiet = {
      {DType::f64, 0x7ff8ull << 48}, {DType::f32, 0x7fc00000}, {DType::f16, 0x7e00}, {DType::bf16, 0x7fc0}};
  for (const auto& [dtype, pattern] : quiet) {
    const size_t size = task::size_bytes(dtype);
    std::vector<std::byte> out(1000 * size);
    poison(out, dtype, sha256("p"), 1);
    uint64_t first = 0;
    std::memcpy(&first, out.data(), size);
    EXPECT_EQ(first & pattern, pattern);
    EXPECT_NE(first, pattern) << "no payload";
    for (uint64_t i = 0; i < 1000; ++i) ASSERT_TRUE(std::isnan(element_as_double(out, dtype, i)));
  }
}

TEST(Poison, DiffersEachTimeAndFromTheContent) {
  for (const DType dtype : {DType::f32, DType::i32, DType::u8}) {
    const FillPlan plan = plan_of(dtype, FillKind::integers);
    std::vector<std::byte> a(plan.count * task::size_bytes(dtype));
    std::vector<std::byte> b = a;
    poison(a, dtype, sha256("1"), 0);
    poison(b, dtype, sha256("2"), 0);
    EXPECT_NE(a, b);
    poison(b, dtype, sha256("1"), 1);
    EXPECT_NE(a, b);
    EXPECT_NE(a, filled(plan, "1", 0));
  }
}

TEST(Poison, FillsOddSizesWhole) {
  for (const size_t size : {size_t{1}, size_t{15}, size_t{4097}, size_t{9000}}) {
    std::vector<std::byte> out(size + 1, std::byte{0});
    poison(std::span(out).first(size), DType::u8, sha256("p"), 1);
    EXPECT_EQ(out[size], std::byte{0});
    EXPECT_GT(std::count_if(out.begin(), out.end(), [](std::byte b) { return b != std::byte{0}; }),
              static_cast<long>(size * 9 / 10));
  }
}

}  // namespace
}  // namespace hone::device
