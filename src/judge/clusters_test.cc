// What sits together is found, what is strewn is not, and chance is called a cluster as rarely as the header says.
#include "judge/clusters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace hone::judge {
namespace {

std::vector<uint64_t> block(uint64_t row, uint64_t column, uint64_t rows, uint64_t columns, uint64_t width) {
  std::vector<uint64_t> indices;
  for (uint64_t r = row; r < row + rows; ++r)
    for (uint64_t c = column; c < column + columns; ++c) indices.push_back(r * width + c);
  return indices;
}

// By hand: of 10 with 4 marked, drawing 3: P(X ≥ 2) = (C(4,2)·6 + C(4,3)) ÷ C(10,3) = 40 ÷ 120.
TEST(HypergeometricTail, IsTheLawWithoutReplacement) {
  EXPECT_NEAR(hypergeometric_tail(10, 4, 3, 2), 1.0 / 3, 1e-12);
  EXPECT_NEAR(hypergeometric_tail(10, 4, 3, 0), 1.0, 1e-12);
  EXPECT_NEAR(hypergeometric_tail(10, 4, 3, 3), 4.0 / 120, 1e-12);
  EXPECT_EQ(hypergeometric_tail(10, 2, 3, 3), 0.0);
  EXPECT_NEAR(hypergeometric_tail(10, 9, 5, 4), 1.0, 1e-12) << "no fewer can be drawn";
}

TEST(Clusters, AHoleOfFifteenSquaredIsFoundWhereverItLies) {
  for (uint64_t at = 0; at < 16; ++at) {
    const auto found = find_cluster(block(40 + at, 70 + at, 15, 15, 256), 256 * 256, 256);
    ASSERT_TRUE(found) << at;
    EXPECT_EQ(found->group, 64u);
    EXPECT_EQ(found->mismatches, 64u);
    const auto whole_square = [](uint64_t first) { return (first + 7) / 8 * 8; };
    EXPECT_EQ(found->first_index, whole_square(40 + at) * 256 + whole_square(70 + at));
  }
}

TEST(Clusters, ARunInALineIsFound) {
  for (uint64_t at = 0; at < 64; ++at)
    EXPECT_TRUE(find_cluster(block(0, 1000 + at, 1, 127, 1 << 20), 1 << 20, 1 << 20));
}

TEST(Clusters, InASmallOutputASmallerOneIs) {
  EXPECT_TRUE(find_cluster(block(3, 5, 7, 7, 32), 1024, 32));
  EXPECT_FALSE(find_cluster(block(3, 5, 2, 3, 32), 1024, 32)) << "less than half of any group";
}

TEST(Clusters, HalfOfAGroupIsNone) {
  EXPECT_FALSE(find_cluster(block(8, 8, 4, 8, 256), 256 * 256, 256));
  EXPECT_TRUE(find_cluster(block(8, 8, 5, 8, 256), 256 * 256, 256));
}

// 40 in the first row of 64 × 64, the others strewn over the other rows, 18 in each at most.
std::vector<uint64_t> forty_in_a_row_among(uint64_t mismatches) {
  std::vector<uint64_t> indices = block(0, 0, 1, 40, 64);
  for (uint64_t i = 0; indices.size() < mismatches; ++i) {
    const uint64_t row = 1 + i % 63;
    indices.push_back(row * 64 + (row * 5 + i / 63 * 3) % 64);
  }
  std::sort(indices.begin(), indices.end());
  return indices;
}

// By the law (4096, m, 64) and 128 groups: 128 · P(X ≥ 40) is 0.999·10^-6 for m = 1151 and 1.027·10^-6 for 1152.
TEST(Clusters, EveryGroupThatWasLookedAtCounts) {
  EXPECT_TRUE(find_cluster(forty_in_a_row_among(1151), 4096, 64));
  EXPECT_FALSE(find_cluster(forty_in_a_row_among(1152), 4096, 64));
}

// Where almost everything mismatches a full group says nothing.
TEST(Clusters, WhatChanceWouldDoIsNone) {
  std::vector<uint64_t> most(4096);
  for (uint64_t i = 0; i < 4096; ++i) most[i] = i;
  std::erase_if(most, [](uint64_t i) { return i % 5 == 0; });
  EXPECT_FALSE(find_cluster(most, 4096, 64));
}

TEST(Clusters, OfNothingAndOfTooLittleAreNone) {
  EXPECT_FALSE(find_cluster({}, 4096, 64));
  EXPECT_FALSE(find_cluster({0, 1}, 0, 0));
  EXPECT_FALSE(find_cluster({0, 1, 2}, 8, 8));
  EXPECT_FALSE(find_cluster({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 12, 12)) << "no group is whole";
}

// 10^-6 by the header; 3000 draws with every share of mismatches show none.
TEST(Clusters, StrewnMismatchesAreNone) {
  std::mt19937_64 engine(7);
  for (size_t draw = 0; draw < 3000; ++draw) {
    const uint64_t count = draw % 2 == 0 ? 1024 : 8192;
    const uint64_t wanted = count * (1 + draw % 6) / 10;
    std::set<uint64_t> strewn;
    while (strewn.size() < wanted) strewn.insert(engine() % count);
    EXPECT_FALSE(find_cluster({strewn.begin(), strewn.end()}, count, 32)) << draw;
  }
}

}  // namespace
}  // namespace hone::judge
