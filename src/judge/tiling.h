// Tiling: an output seen as rows of its innermost extent, cut into the groups of neighbours that are judged together.
// Groups are never small: of n normal errors on either side, both of one size, the ratio of their mean squares exceeds
// 9 (three times the RMS) with probability 4·10^-4 for n = 8, 3·10^-9 for 32 and 10^-16 for 64 (F distribution), and an
// output has many groups. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

namespace hone::judge {

// Elements [first_row, first_row + rows) × [first_column, first_column + columns) of an output, row-major.
struct Tile {
  uint64_t first_row = 0;
  uint64_t rows = 0;
  uint64_t first_column = 0;
  uint64_t columns = 0;
  uint64_t count() const { return rows * columns; }
};

// The rows of an output, where there are several and each is long enough to be judged alone.
std::vector<Tile> rows_of(uint64_t count, uint64_t row_length);

// Tiles of about 32 × 32 elements (1024 in a line where there is but one row), cut evenly so that no tile at an edge is
// smaller; none where the whole output is one tile.
std::vector<Tile> tiles_of(uint64_t count, uint64_t row_length);

// Calls `visit` with the flat index of every element of the tile, ascending.
template <class Visit>
void for_each_element(const Tile& tile, uint64_t row_length, Visit visit) {
  for (uint64_t row = tile.first_row; row < tile.first_row + tile.rows; ++row) {
    for (uint64_t column = tile.first_column; column < tile.first_column + tile.columns; ++column)
      visit(row * row_length + column);
  }
}

}  // namespace hone::judge
