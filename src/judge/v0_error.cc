#include "judge/v0_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "device/fill.h"
#include "judge/constants.h"
#include "judge/tiling.h"

namespace hone::judge {

namespace {

struct ErrorScale {
  double squares = 0;
  double largest = 0;
  uint64_t worst = 0;  // flat index of the largest
  void add(double error, uint64_t index) {
    squares += error * error;
    if (error > largest) worst = index;
    largest = std::max(largest, error);
  }
  double rms(uint64_t count) const { return std::sqrt(squares / static_cast<double>(count)); }
};

struct Outputs {
  std::span<const double> found;
  std::span<const double> truth;
  std::span<const double> v0;
};

// What one group of elements adds up to.
struct GroupErrors {
  ErrorScale ours;
  ErrorScale theirs;
  double scale = 0;  // largest value of the truth

  void add(const Outputs& outputs, uint64_t i) {
    if (!std::isfinite(outputs.truth[i]) || !std::isfinite(outputs.found[i])) return;
    ours.add(std::abs(outputs.found[i] - outputs.truth[i]), i);
    theirs.add(std::abs(outputs.v0[i] - outputs.truth[i]), i);
    scale = std::max(scale, std::abs(outputs.truth[i]));
  }
};

void judge_group(const OutputRule& rule, const GroupErrors& group, const Outputs& outputs, uint64_t count,
                 std::string_view which, Walk& walk) {
  const double floor = ulp_at(rule.dtype, group.scale);
  const double rms_limit = k_v0_rms_factor * group.theirs.rms(count) + floor;
  const double max_limit = k_v0_max_factor * group.theirs.largest + floor;
  const double rms = group.ours.rms(count);
  const double largest = group.ours.largest;
  const double ratio = std::max(rms / std::max(rms_limit, 1e-300), largest / std::max(max_limit, 1e-300));
  walk.over_bound(ratio);
  if (rms <= rms_limit && largest <= max_limit) return;
  const uint64_t worst = group.ours.worst;
  walk.fail(worst, outputs.truth[worst], outputs.found[worst],
            fmt::format("error of the {} against the baseline's", which), ratio);
}

void judge_tiles(const OutputRule& rule, const std::vector<Tile>& tiles, const Outputs& outputs, std::string_view which,
                 Walk& walk) {
  const uint64_t row = std::clamp<uint64_t>(rule.row_length, 1, rule.count);
  for (const Tile& tile : tiles) {
    GroupErrors group;
    for_each_element(tile, row, [&](uint64_t i) { group.add(outputs, i); });
    judge_group(rule, group, outputs, tile.count(), which, walk);
  }
}

}  // namespace

void check_against_v0(const OutputRule& rule, const std::vector<double>& found, const Truth& truth,
                      std::span<const std::byte> baseline, Walk& walk) {
  std::vector<double> v0(rule.count);
  device::widen(baseline, rule.dtype, v0);
  const Outputs outputs{found, truth.values, v0};
  GroupErrors whole;
  for (uint64_t i = 0; i < rule.count; ++i) {
    if (!comparable(walk, rule.compare.nonfinite, i, truth.values[i], found[i])) continue;
    walk.error(std::abs(found[i] - truth.values[i]), truth.values[i]);
    whole.add(outputs, i);
  }
  judge_group(rule, whole, outputs, rule.count, "whole output", walk);
  judge_tiles(rule, rows_of(rule.count, rule.row_length), outputs, "row", walk);
  judge_tiles(rule, tiles_of(rule.count, rule.row_length), outputs, "tile", walk);
}

}  // namespace hone::judge
