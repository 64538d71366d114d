// Walk: what comparing one output leaves behind: the worst errors, and the first failure. Borrows the result it writes
// to. Private to the checker's parts; one thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "judge/checker.h"

namespace hone::judge {

class Walk {
 public:
  explicit Walk(CheckResult& result) : result_(result) {}

  // Here, and not in walk.cc: asked for each of millions of elements.
  void error(double absolute, double truth) {
    raise(result_.worst_absolute_error, absolute);
    if (truth != 0.0) raise(result_.worst_relative_error, absolute / std::abs(truth));
  }
  void over_bound(double ratio) { raise(result_.worst_error_over_bound, ratio); }
  void fail(uint64_t index, double expected, double found, std::string reason, std::optional<double> ratio = {});

 private:
  static void raise(std::optional<double>& worst, double value) {
    if (std::isfinite(value) && (!worst || value > *worst)) worst = value;
  }

  CheckResult& result_;
};

// Whether an output may hold this value, which is not finite, where the truth holds it too.
bool allows(task::NonFinite policy, double value);

// True when both are finite. What is not must be what the policy allows; where it is, the element needs no further
// comparison, else the walk fails here.
bool comparable_as_masks(Walk& walk, task::NonFinite policy, uint64_t index, double truth, double found);
inline bool comparable(Walk& walk, task::NonFinite policy, uint64_t index, double truth, double found) {
  return (std::isfinite(truth) && std::isfinite(found)) || comparable_as_masks(walk, policy, index, truth, found);
}

// One ulp of a type at this magnitude.
double ulp_at(task::DType dtype, double scale);

}  // namespace hone::judge
