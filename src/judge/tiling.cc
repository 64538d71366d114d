#include "judge/tiling.h"

#include <algorithm>

#include "judge/constants.h"

namespace hone::judge {

namespace {

// The i-th of `parts` even parts of a length begins here.
uint64_t cut(uint64_t length, uint64_t parts, uint64_t i) { return length / parts * i + std::min(i, length % parts); }

uint64_t parts_of(uint64_t length, uint64_t least) { return std::max<uint64_t>(1, length / least); }

// How long a tile is in one direction at least, when the other direction has `across` elements.
uint64_t least_edge(uint64_t across) {
  const uint64_t edge = k_tile_edge;
  return across >= edge ? edge : (edge * edge + across - 1) / across;
}

}  // namespace

std::vector<Tile> rows_of(uint64_t count, uint64_t row_length) {
  if (row_length < k_smallest_group || count <= row_length) return {};
  std::vector<Tile> rows;
  for (uint64_t row = 0; row < count / row_length; ++row) rows.push_back({row, 1, 0, row_length});
  return rows;
}

std::vector<Tile> tiles_of(uint64_t count, uint64_t row_length) {
  if (count == 0) return {};
  const uint64_t columns = std::clamp<uint64_t>(row_length, 1, count);
  const uint64_t rows = count / columns;
  const uint64_t down = parts_of(rows, least_edge(columns));
  const uint64_t across = parts_of(columns, least_edge(rows));
  if (down * across == 1) return {};
  std::vector<Tile> tiles;
  for (uint64_t i = 0; i < down; ++i) {
    const uint64_t top = cut(rows, down, i);
    for (uint64_t j = 0; j < across; ++j) {
      const uint64_t left = cut(columns, across, j);
      tiles.push_back({top, cut(rows, down, i + 1) - top, left, cut(columns, across, j + 1) - left});
    }
  }
  return tiles;
}

}  // namespace hone::judge
