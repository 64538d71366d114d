#include "judge/impostors.h"

#include <string.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "device/fill.h"

namespace hone::judge {

namespace {

using Values = std::vector<double>;

std::vector<std::byte> to_bytes(const OutputRule& rule, const Values& values) {
  std::vector<std::byte> bytes(rule.count * task::size_bytes(rule.dtype));
  for (uint64_t i = 0; i < rule.count; ++i) device::set_element(bytes, rule.dtype, i, values[i]);
  return bytes;
}

Values as_values(const OutputRule& rule, const Truth& truth) {
  if (task::is_floating(rule.dtype)) return truth.values;
  Values values(rule.count);
  device::widen(truth.exact, rule.dtype, values);
  return values;
}

double mean_of(const Values& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// ---- the members: each makes wrong values from the right ones, or nothing where it makes no sense
// --------------------------------

struct Panel {
  const ImpostorSources& sources;
  Values truth;
  uint64_t rows;
  uint64_t columns;

  Values zeros() const { return Values(truth.size(), 0.0); }
  Values ones() const { return Values(truth.size(), 1.0); }
  Values mean() const { return Values(truth.size(), mean_of(truth)); }
  Values column_means() const {
    Values sums(columns, 0.0);
    for (uint64_t i = 0; i < truth.size(); ++i) sums[i % columns] += truth[i];
    Values out(truth.size());
    for (uint64_t i = 0; i < truth.size(); ++i) out[i] = sums[i % columns] / static_cast<double>(rows);
    return out;
  }
  Values input_copy() const {
    for (const auto& input : sources.inputs) {
      if (input.size() < truth.size() * task::size_bytes(sources.rule.dtype)) continue;
      Values out(truth.size());
      device::widen(std::span(input).first(truth.size() * task::size_bytes(sources.rule.dtype)), sources.rule.dtype,
                    out);
      return out;
    }
    return {};
  }
  Values previous_output() const {
    const bool none = sources.previous.values.empty() && sources.previous.exact.empty();
    return none ? Values() : as_values(sources.rule, sources.previous);
  }
  Values missing_tile() const {
    Values out = truth;
    const uint64_t tile = std::max<uint64_t>(1, truth.size() / 16);
    std::fill(out.end() - static_cast<ptrdiff_t>(tile), out.end(), 0.0);
    return out;
  }
  Values transposed() const {
    if (rows < 2 || columns < 2) return {};
    Values out(truth.size());
    for (uint64_t r = 0; r < rows; ++r) {
      for (uint64_t c = 0; c < columns; ++c) out[c * rows + r] = truth[r * columns + c];
    }
    return out;
  }
  Values one_wrong_row() const {
    if (rows < 2) return {};
    Values out = truth;
    const uint64_t row = rows / 2;
    const uint64_t other = row == 0 ? 1 : row - 1;
    for (uint64_t c = 0; c < columns; ++c) out[row * columns + c] = truth[other * columns + c];
    return out;
  }
  Values half_accumulation() const {
    const task::DType accumulate = sources.rule.accumulate;
    if (!task::is_floating(sources.rule.dtype) || accumulate == task::DType::f16 || accumulate == task::DType::bf16)
      return {};
    if (sources.rule.baseline_is_truth) return {};
    Values out(truth.size());
    const double scale = task::unit_roundoff(task::DType::f16) * std::sqrt(static_cast<double>(sources.rule.terms));
    uint64_t bits = 0x9e3779b97f4a7c15u;
    for (uint64_t i = 0; i < truth.size(); ++i) {
      bits = bits * 6364136223846793005u + 1442695040888963407u;
      const double z = (bits >> 63) != 0 ? 1.0 : -1.0;
      const bool offered = !sources.truth.magnitudes.empty();
      out[i] = offered ? truth[i] + scale * sources.truth.magnitudes[i] * z
                       : device::from_f16_bits(device::to_f16_bits(truth[i]));
    }
    return out;
  }
  Values not_a_number() const {
    if (!task::is_floating(sources.rule.dtype)) return {};
    return Values(truth.size(), std::numeric_limits<double>::quiet_NaN());
  }
};

struct Member {
  const char* name;
  Values (Panel::*make)() const;
};

constexpr Member k_members[] = {
    {"zeros", &Panel::zeros},
    {"ones", &Panel::ones},
    {"mean", &Panel::mean},
    {"column means", &Panel::column_means},
    {"input copy", &Panel::input_copy},
    {"previous output", &Panel::previous_output},
    {"missing tile", &Panel::missing_tile},
    {"transposed", &Panel::transposed},
    {"one wrong row", &Panel::one_wrong_row},
    {"half-precision accumulation", &Panel::half_accumulation},
    {"NaN", &Panel::not_a_number},
};

// Equal to the truth within 1 ulp of the output type: then it is no impostor here.
bool equals_truth(const OutputRule& rule, const Values& truth, const Values& values) {
  for (uint64_t i = 0; i < truth.size(); ++i) {
    if (truth[i] == values[i] || (std::isnan(truth[i]) && std::isnan(values[i]))) continue;
    const double ulp = 2.0 * task::unit_roundoff(rule.dtype) * std::abs(truth[i]);
    if (!(std::abs(values[i] - truth[i]) <= ulp)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::byte> rounded(const OutputRule& rule, const Truth& truth) {
  return task::is_floating(rule.dtype) ? to_bytes(rule, truth.values) : truth.exact;
}

std::vector<Impostor> impostors_of(const ImpostorSources& sources) {
  if (sources.rule.count == 0) return {};
  const uint64_t columns = std::clamp<uint64_t>(sources.rule.row_length, 1, sources.rule.count);
  const Panel panel{sources, as_values(sources.rule, sources.truth), sources.rule.count / columns, columns};
  std::vector<Impostor> impostors;
  for (const Member& member : k_members) {
    const Values values = (panel.*member.make)();
    if (values.empty() || equals_truth(sources.rule, panel.truth, values)) continue;
    impostors.push_back({member.name, to_bytes(sources.rule, values)});
  }
  return impostors;
}

}  // namespace hone::judge
