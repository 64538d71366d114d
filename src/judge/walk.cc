#include "judge/walk.h"

#include <fmt/format.h>

#include <cmath>

namespace hone::judge {

namespace {

constexpr const char* k_mask_differs = "not finite where the truth is, or the reverse";
constexpr const char* k_not_allowed = "not finite, which the contract allows nowhere here";
// Outputs are poisoned with NaN before every launch.
constexpr const char* k_not_a_number = "not a number, or never written";

const char* reason_for(double found, bool same) {
  if (std::isnan(found)) return k_not_a_number;
  return same ? k_not_allowed : k_mask_differs;
}

}  // namespace

bool allows(task::NonFinite policy, double value) {
  switch (policy) {
    case task::NonFinite::none:
      return false;
    case task::NonFinite::negative_infinity:
      return std::isinf(value) && value < 0;
    case task::NonFinite::equal_infinities:
      return std::isinf(value);
    case task::NonFinite::equal_masks:
      return true;
  }
  return false;
}

void Walk::fail(uint64_t index, double expected, double found, std::string reason, std::optional<double> ratio) {
  if (result_.failure) return;
  result_.failure = CheckFailure{index, fmt::format("{:.9g}", expected), fmt::format("{:.9g}", found),
                                 ratio && std::isfinite(*ratio) ? ratio : std::nullopt, std::move(reason)};
}

bool comparable_as_masks(Walk& walk, task::NonFinite policy, uint64_t index, double truth, double found) {
  const bool same = (std::isnan(truth) && std::isnan(found)) || truth == found;
  if (!same || !allows(policy, truth)) walk.fail(index, truth, found, reason_for(found, same));
  return false;
}

double ulp_at(task::DType dtype, double scale) { return 2.0 * task::unit_roundoff(dtype) * scale; }

}  // namespace hone::judge
