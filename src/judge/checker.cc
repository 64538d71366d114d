#include "judge/checker.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <cmath>

#include "device/fill.h"
#include "judge/constants.h"

namespace hone::judge {

namespace {

double ulp_at(task::DType dtype, double scale) { return 2.0 * task::unit_roundoff(dtype) * scale; }

// "allclose(reference, output)" scales with the output, numpy's own order with the reference: data, not taste.
double tolerance_of(const task::Compare& compare, double truth, double found) {
  const double scale = std::abs(compare.relative_to == task::RelativeTo::reference ? truth : found);
  const double absolute = compare.absolute_tolerance.value_or(0.0);
  const double relative = compare.relative_tolerance.value_or(0.0);
  switch (compare.rule) {
    case task::CompareRule::absolute:
      return absolute;
    case task::CompareRule::relative:
      return relative * scale;
    case task::CompareRule::exact:
      return 0.0;
    default:
      return absolute + relative * scale;
  }
}

// Walks the elements of one output and remembers the worst and the first failure.
class Walk {
 public:
  explicit Walk(CheckResult& result) : result_(result) {}

  void error(double absolute, double truth) {
    raise(result_.worst_absolute_error, absolute);
    if (truth != 0.0) raise(result_.worst_relative_error, absolute / std::abs(truth));
  }
  void over_bound(double ratio) { raise(result_.worst_error_over_bound, ratio); }
  void fail(uint64_t index, double expected, double found, std::string reason, std::optional<double> ratio = {}) {
    if (result_.failure) return;
    result_.failure = CheckFailure{index, fmt::format("{:.9g}", expected), fmt::format("{:.9g}", found),
                                   ratio && std::isfinite(*ratio) ? ratio : std::nullopt, std::move(reason)};
  }

 private:
  static void raise(std::optional<double>& worst, double value) {
    if (std::isfinite(value) && (!worst || value > *worst)) worst = value;
  }
  CheckResult& result_;
};

constexpr const char* k_mask_differs = "not finite where the truth is, or the reverse";
// Outputs are poisoned with NaN before every launch.
constexpr const char* k_not_a_number = "not a number, or never written";

// Both finite → true. Masks of NaN, +inf, −inf must be equal; where they are, the element needs no further comparison.
bool comparable(Walk& walk, uint64_t i, double truth, double found) {
  if (std::isfinite(truth) && std::isfinite(found)) return true;
  const bool both_nan = std::isnan(truth) && std::isnan(found);
  const bool same_infinity = std::isinf(truth) && truth == found;
  if (!both_nan && !same_infinity) walk.fail(i, truth, found, std::isnan(found) ? k_not_a_number : k_mask_differs);
  return false;
}

void check_bound(const OutputRule& rule, const std::vector<double>& found, const Truth& truth, Walk& walk) {
  for (uint64_t i = 0; i < rule.count; ++i) {
    if (!comparable(walk, i, truth.values[i], found[i])) continue;
    const double error = std::abs(found[i] - truth.values[i]);
    const double bound = error_bound(rule, truth.values[i], truth.magnitudes[i]);
    walk.error(error, truth.values[i]);
    const double ratio = bound > 0 ? error / bound : (error > 0 ? INFINITY : 0.0);
    walk.over_bound(ratio);
    if (!(error <= bound)) walk.fail(i, truth.values[i], found[i], "outside the error bound", ratio);
  }
}

struct ErrorScale {
  double squares = 0;
  double largest = 0;
  void add(double error) {
    squares += error * error;
    largest = std::max(largest, error);
  }
  double rms(uint64_t count) const { return std::sqrt(squares / static_cast<double>(count)); }
};

// One group of elements (a row, or everything) against v0's error on the same content.
void check_group_against_v0(const OutputRule& rule, std::span<const double> found, std::span<const double> truth,
                            std::span<const double> v0, uint64_t first, std::string_view which, Walk& walk) {
  ErrorScale ours, theirs;
  double scale = 0;
  uint64_t worst = 0;
  for (uint64_t i = 0; i < truth.size(); ++i) {
    if (!std::isfinite(truth[i]) || !std::isfinite(found[i])) continue;
    const double error = std::abs(found[i] - truth[i]);
    if (error > ours.largest) worst = i;
    ours.add(error);
    theirs.add(std::abs(v0[i] - truth[i]));
    scale = std::max(scale, std::abs(truth[i]));
  }
  const double floor = ulp_at(rule.dtype, scale);
  const double rms_limit = k_v0_rms_factor * theirs.rms(truth.size()) + floor;
  const double max_limit = k_v0_max_factor * theirs.largest + floor;
  const double ratio =
      std::max(ours.rms(truth.size()) / std::max(rms_limit, 1e-300), ours.largest / std::max(max_limit, 1e-300));
  walk.over_bound(ratio);
  const bool within = ours.rms(truth.size()) <= rms_limit && ours.largest <= max_limit;
  if (!within)
    walk.fail(first + worst, truth[worst], found[worst], fmt::format("error of the {} against the baseline's", which),
              ratio);
}

void check_against_v0(const OutputRule& rule, const std::vector<double>& found, const Truth& truth,
                      std::span<const std::byte> baseline, Walk& walk) {
  std::vector<double> v0(rule.count);
  device::widen(baseline, rule.dtype, v0);
  for (uint64_t i = 0; i < rule.count; ++i) {
    if (comparable(walk, i, truth.values[i], found[i]))
      walk.error(std::abs(found[i] - truth.values[i]), truth.values[i]);
  }
  const std::span<const double> all_found(found), all_truth(truth.values), all_v0(v0);
  check_group_against_v0(rule, all_found, all_truth, all_v0, 0, "whole output", walk);
  const uint64_t row = std::clamp<uint64_t>(rule.row_length, 1, rule.count);
  if (row == rule.count || row == 1) return;
  for (uint64_t at = 0; at + row <= rule.count; at += row)
    check_group_against_v0(rule, all_found.subspan(at, row), all_truth.subspan(at, row), all_v0.subspan(at, row), at,
                           "row", walk);
}

// The contract's own rule, in addition: matched ratio and ceiling as data.
void check_contract_rule(const OutputRule& rule, const std::vector<double>& found, const Truth& truth, Walk& walk) {
  if (rule.compare.rule == task::CompareRule::bound) return;
  uint64_t outside = 0;
  std::optional<uint64_t> first;
  for (uint64_t i = 0; i < rule.count; ++i) {
    if (!comparable(walk, i, truth.values[i], found[i])) continue;
    const double error = std::abs(found[i] - truth.values[i]);
    const double tolerance = tolerance_of(rule.compare, truth.values[i], found[i]);
    walk.error(error, truth.values[i]);
    if (rule.compare.ceiling && !(error <= *rule.compare.ceiling * tolerance))
      walk.fail(i, truth.values[i], found[i], "above the contract's ceiling");
    if (error <= tolerance) continue;
    ++outside;
    if (!first) first = i;
  }
  const double matched = 1.0 - static_cast<double>(outside) / static_cast<double>(rule.count);
  if (first && !(matched >= rule.compare.matched_ratio))
    walk.fail(*first, truth.values[*first], found[*first], "outside the contract's tolerance");
}

CheckResult check_integers(const OutputRule& rule, std::span<const std::byte> found, const Truth& truth) {
  CheckResult result;
  const size_t size = task::size_bytes(rule.dtype);
  result.compared = rule.count;
  for (uint64_t i = 0; i < rule.count; ++i) {
    if (memcmp(found.data() + i * size, truth.exact.data() + i * size, size) == 0) continue;
    Walk(result).fail(i, device::element_as_double(truth.exact, rule.dtype, i),
                      device::element_as_double(found, rule.dtype, i), "integers must be equal");
    break;
  }
  return result;
}

bool sizes_fit(const OutputRule& rule, std::span<const std::byte> found, const Truth& truth) {
  const size_t bytes = rule.count * task::size_bytes(rule.dtype);
  if (found.size() != bytes) return false;
  if (!task::is_floating(rule.dtype)) return truth.exact.size() == bytes;
  return truth.values.size() == rule.count && (truth.magnitudes.empty() || truth.magnitudes.size() == rule.count);
}

// Something must say how large an error may be: the error model, v0's error, or the contract's own rule.
bool has_measure(const OutputRule& rule, const Truth& truth,
                 const std::optional<std::span<const std::byte>>& baseline) {
  if (rule.compare.rule != task::CompareRule::bound) return true;
  return !rule.baseline_is_truth && (!truth.magnitudes.empty() || baseline);
}

}  // namespace

OutputRule rule_for(const task::Task& task, const task::BoundArgument& argument, TruthSource source) {
  OutputRule rule;
  rule.argument = argument.argument->name;
  rule.dtype = argument.argument->dtype;
  const bool wide = rule.dtype == task::DType::f64;
  rule.accumulate = task.policy.accumulate.value_or(wide ? task::DType::f64 : task::DType::f32);
  rule.count = argument.count;
  rule.row_length = argument.shape.empty() ? 1 : static_cast<uint64_t>(argument.shape.back());
  rule.terms = argument.terms;
  rule.compare = argument.argument->compare;
  rule.baseline_is_truth = source == TruthSource::baseline;
  return rule;
}

namespace {

// Spacing of the subnormal numbers: below the smallest normal one rounding is absolute, not relative.
double subnormal_spacing(task::DType dtype) {
  switch (dtype) {
    case task::DType::f32:
      return 0x1p-149;
    case task::DType::f16:
      return 0x1p-24;
    case task::DType::bf16:
      return 0x1p-133;
    default:
      return 0x1p-1074;
  }
}

}  // namespace

double error_bound(const OutputRule& rule, double truth, double magnitude) {
  const double accumulated =
      task::unit_roundoff(rule.accumulate) * (std::sqrt(static_cast<double>(rule.terms)) + k_extra_terms);
  return k_bound_factor * (task::unit_roundoff(rule.dtype) * std::abs(truth) + accumulated * magnitude) +
         subnormal_spacing(rule.dtype);
}

CheckResult check_output(const OutputRule& rule, std::span<const std::byte> found, const Truth& truth,
                         std::optional<std::span<const std::byte>> baseline) {
  CheckResult result;
  Walk walk(result);
  if (!sizes_fit(rule, found, truth) || rule.count == 0) {
    result.failure = CheckFailure{0, "", "", std::nullopt, "nothing compared"};
    return result;
  }
  if (!task::is_floating(rule.dtype)) return check_integers(rule, found, truth);
  std::vector<double> values(rule.count);
  device::widen(found, rule.dtype, values);
  result.compared = rule.count;
  if (!rule.baseline_is_truth && !truth.magnitudes.empty()) check_bound(rule, values, truth, walk);
  if (!rule.baseline_is_truth && truth.magnitudes.empty() && baseline)
    check_against_v0(rule, values, truth, *baseline, walk);
  if (!has_measure(rule, truth, baseline))
    result.failure =
        CheckFailure{0, "", "", std::nullopt, "nothing to judge the error by: no magnitudes and no baseline"};
  check_contract_rule(rule, values, truth, walk);
  return result;
}

namespace {

double pair_bound(const OutputRule& rule, const PairScale& scale) {
  const task::Compare& compare = rule.compare;
  if (rule.baseline_is_truth)
    return k_pair_factor *
           (compare.absolute_tolerance.value_or(0.0) + compare.relative_tolerance.value_or(0.0) * scale.largest_truth);
  const double model = scale.largest_v0_error
                           ? k_v0_max_factor * *scale.largest_v0_error + ulp_at(rule.dtype, scale.largest_truth)
                           : error_bound(rule, scale.largest_truth, scale.largest_magnitude);
  return k_pair_factor * model;
}

}  // namespace

bool pair_agrees(const OutputRule& rule, std::span<const std::byte> a, std::span<const std::byte> b,
                 const PairScale& scale) {
  if (a.size() != b.size() || a.empty()) return false;
  if (memcmp(a.data(), b.data(), a.size()) == 0) {
    // Equal poison is no agreement: NaN fails by construction.
    if (!task::is_floating(rule.dtype)) return true;
  } else if (!task::is_floating(rule.dtype)) {
    return false;
  }
  const double bound = pair_bound(rule, scale);
  const uint64_t count = a.size() / task::size_bytes(rule.dtype);
  for (uint64_t i = 0; i < count; ++i) {
    const double x = device::element_as_double(a, rule.dtype, i);
    const double y = device::element_as_double(b, rule.dtype, i);
    const bool same_infinity = std::isinf(x) && x == y;
    if (!same_infinity && !(std::abs(x - y) <= bound)) return false;
  }
  return true;
}

bool all_finite(const Truth& truth, task::DType dtype) {
  const double largest = task::largest_finite(dtype);
  const auto finite = [&](double value) { return std::abs(value) <= largest; };  // false for NaN
  return std::all_of(truth.values.begin(), truth.values.end(), finite) &&
         std::all_of(truth.magnitudes.begin(), truth.magnitudes.end(), finite);
}

bool is_sensitive(const Truth& truth) {
  if (!truth.exact.empty())
    return std::any_of(truth.exact.begin(), truth.exact.end(), [&](std::byte b) { return b != truth.exact.front(); });
  return std::any_of(truth.values.begin(), truth.values.end(), [&](double v) { return v != truth.values.front(); });
}

}  // namespace hone::judge
