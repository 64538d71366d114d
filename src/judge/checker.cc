#include "judge/checker.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <cmath>

#include "device/fill.h"
#include "judge/constants.h"
#include "judge/contract_rule.h"
#include "judge/v0_error.h"
#include "judge/walk.h"

namespace hone::judge {

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

// 4·(u_out·|y| + u_acc·(√K + 4)·S), and below the smallest normal number the rounding that is absolute.
class ErrorModel {
 public:
  explicit ErrorModel(const OutputRule& rule)
      : relative_(k_bound_factor * task::unit_roundoff(rule.dtype)),
        accumulated_(k_bound_factor * accumulation_error(rule)),
        spacing_(subnormal_spacing(rule.dtype)) {}

  double bound(double truth, double magnitude) const {
    return relative_ * std::abs(truth) + accumulated_ * magnitude + spacing_;
  }

 private:
  double relative_;
  double accumulated_;
  double spacing_;
};

void check_bound(const OutputRule& rule, const std::vector<double>& found, const Truth& truth, Walk& walk) {
  const ErrorModel model(rule);
  for (uint64_t i = 0; i < rule.count; ++i) {
    if (!comparable(walk, rule.compare.nonfinite, i, truth.values[i], found[i])) continue;
    const double error = std::abs(found[i] - truth.values[i]);
    const double bound = model.bound(truth.values[i], truth.magnitudes[i]);
    walk.error(error, truth.values[i]);
    walk.over_bound(error / bound);
    if (!(error <= bound)) walk.fail(i, truth.values[i], found[i], "outside the error bound", error / bound);
  }
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

OutputRule rule_for_part(OutputRule whole, uint64_t count) {
  whole.count = count;
  whole.row_length = 1;
  const double ratio = whole.compare.matched_ratio;
  whole.compare.matched_ratio = std::max(ratio / 2, 1 - k_part_mismatch_factor * (1 - ratio));
  whole.compare.reject_all_zero = false;
  return whole;
}

double accumulation_error(const OutputRule& rule) {
  return task::unit_roundoff(rule.accumulate) * (std::sqrt(static_cast<double>(rule.terms)) + k_extra_terms);
}

double error_bound(const OutputRule& rule, double truth, double magnitude) {
  return ErrorModel(rule).bound(truth, magnitude);
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
  if (rule.baseline_is_truth) return k_pair_factor * tolerance_of(compare, scale.largest_truth, scale.largest_truth);
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
    // Equal poison is no agreement: NaN fails by construction, where the contract does not expect it.
    if (!task::is_floating(rule.dtype)) return true;
  } else if (!task::is_floating(rule.dtype)) {
    return false;
  }
  const double bound = pair_bound(rule, scale);
  std::vector<double> first(a.size() / task::size_bytes(rule.dtype));
  std::vector<double> second(first.size());
  device::widen(a, rule.dtype, first);
  device::widen(b, rule.dtype, second);
  for (size_t i = 0; i < first.size(); ++i) {
    const double x = first[i];
    const double y = second[i];
    if (std::abs(x - y) <= bound) continue;
    const bool same_infinity = std::isinf(x) && x == y;
    const bool same_mask = std::isnan(x) && std::isnan(y) && allows(rule.compare.nonfinite, x);
    if (!same_infinity && !same_mask) return false;
  }
  return true;
}

bool all_finite(const Truth& truth, task::DType dtype) {
  const double largest = task::largest_finite(dtype);
  const auto finite = [&](double value) { return std::abs(value) <= largest; };  // false for NaN
  return std::all_of(truth.values.begin(), truth.values.end(), finite) &&
         std::all_of(truth.magnitudes.begin(), truth.magnitudes.end(), finite);
}

bool is_usable(const Truth& truth, task::DType dtype, task::NonFinite policy) {
  const double largest = task::largest_finite(dtype);
  for (size_t i = 0; i < truth.values.size(); ++i) {
    const double value = truth.values[i];
    if (!std::isfinite(value) && allows(policy, value)) continue;  // its magnitude means nothing
    if (!(std::abs(value) <= largest)) return false;
    if (!truth.magnitudes.empty() && !(std::abs(truth.magnitudes[i]) <= largest)) return false;
  }
  return true;
}

bool is_sensitive(const Truth& truth) {
  if (!truth.exact.empty())
    return std::any_of(truth.exact.begin(), truth.exact.end(), [&](std::byte b) { return b != truth.exact.front(); });
  return std::any_of(truth.values.begin(), truth.values.end(), [&](double v) { return v != truth.values.front(); });
}

}  // namespace hone::judge
