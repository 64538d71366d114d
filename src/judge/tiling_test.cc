// Every element lies in one tile, and no tile is small.
#include "judge/tiling.h"

#include <gtest/gtest.h>

#include <set>

#include "judge/constants.h"

namespace hone::judge {
namespace {

struct Shape {
  uint64_t rows;
  uint64_t columns;
  size_t tiles;  // 0: the whole output is one
};

class Tilings : public testing::TestWithParam<Shape> {};

TEST_P(Tilings, CoverEveryElementOnce) {
  const auto [rows, columns, expected] = GetParam();
  const auto tiles = tiles_of(rows * columns, columns);
  ASSERT_EQ(tiles.size(), expected);
  std::set<uint64_t> seen;
  for (const Tile& tile : tiles) {
    EXPECT_GE(tile.count(), k_tile_edge * k_tile_edge);
    for_each_element(tile, columns, [&](uint64_t i) { EXPECT_TRUE(seen.insert(i).second); });
  }
  if (!tiles.empty()) {
    EXPECT_EQ(seen.size(), rows * columns);
    EXPECT_EQ(*seen.rbegin(), rows * columns - 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Tilings,
                         testing::Values(Shape{1, 1, 0}, Shape{1, 2000, 0}, Shape{1, 2048, 2}, Shape{1, 5000, 4},
                                         Shape{32, 32, 0}, Shape{64, 64, 4}, Shape{100, 100, 9}, Shape{65, 33, 2},
                                         Shape{1000, 3, 2}, Shape{682, 3, 0}, Shape{3000, 1, 2}, Shape{2, 4096, 8}));

TEST(Rows, AreThoseThatAreLongEnough) {
  EXPECT_EQ(rows_of(640, 64).size(), 10u);
  EXPECT_TRUE(rows_of(630, 63).empty());
  EXPECT_TRUE(rows_of(64, 64).empty()) << "the one row is the whole output";
  const Tile row = rows_of(640, 64)[3];
  EXPECT_EQ(row.first_row, 3u);
  EXPECT_EQ(row.count(), 64u);
}

TEST(Tiles, OfNothingAreNone) { EXPECT_TRUE(tiles_of(0, 0).empty()); }

}  // namespace
}  // namespace hone::judge
