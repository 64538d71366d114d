#include "judge/exact_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "device/fill.h"
#include "judge/constants.h"

namespace hone::judge {

namespace {

// The value of the lowest bit that is set in a finite double; infinity for 0, which lies on every grid.
double lowest_bit(double value) {
  if (value == 0.0) return std::numeric_limits<double>::infinity();
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent);
  const auto mantissa = static_cast<uint64_t>(std::ldexp(fraction, 53));
  return std::ldexp(1.0, exponent - 53 + std::countr_zero(mantissa));
}

double finest_place(const std::vector<double>& values) {
  double finest = std::numeric_limits<double>::infinity();
  for (const double value : values) finest = std::min(finest, lowest_bit(value));
  return finest;
}

double held_as(task::DType dtype, double value) {
  switch (dtype) {
    case task::DType::f32:
      return static_cast<double>(static_cast<float>(value));
    case task::DType::f16:
      return device::from_f16_bits(device::to_f16_bits(value));
    case task::DType::bf16:
      return device::from_bf16_bits(device::to_bf16_bits(value));
    default:
      return value;
  }
}

bool is_judged(const OutputRule& rule, const Truth& truth) {
  return rule.compare.exact_sums && !rule.baseline_is_truth && task::is_floating(rule.dtype) &&
         rule.count >= k_fewest_exact_elements && truth.magnitudes.size() == rule.count &&
         truth.values.size() == rule.count && all_finite(truth, rule.dtype);
}

}  // namespace

bool sums_are_exact(const OutputRule& rule, const Truth& truth) {
  if (!is_judged(rule, truth)) return false;
  const double largest = *std::max_element(truth.magnitudes.begin(), truth.magnitudes.end());
  if (largest == 0.0 || largest > task::largest_finite(rule.accumulate)) return false;
  const double grid = std::min(finest_place(truth.values), finest_place(truth.magnitudes));
  return k_exact_headroom * largest <= grid / task::unit_roundoff(rule.accumulate);
}

std::optional<CheckFailure> find_inexact(const OutputRule& rule, std::span<const std::byte> found, const Truth& truth) {
  if (!sums_are_exact(rule, truth) || found.size() != rule.count * task::size_bytes(rule.dtype)) return std::nullopt;
  for (uint64_t i = 0; i < rule.count; ++i) {
    const double right = truth.values[i];
    const double value = device::element_as_double(found, rule.dtype, i);
    if (value == right || held_as(rule.dtype, right) != right) continue;
    return CheckFailure{i, fmt::format("{:.9g}", right), fmt::format("{:.9g}", value), std::nullopt,
                        "a sum of whole numbers is not exact"};
  }
  return std::nullopt;
}

}  // namespace hone::judge
