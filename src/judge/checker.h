// The checker: compares bytes that a candidate left with the truth. It never runs a candidate and never trusts a count.
//
// Sizes come first: count and bytes must be the contract's, and zero compared elements is a failure. Integers are
// exact. Bound of element i (JUDGE.md 4): 4·(u_out·|y_i| + u_acc·(√K + 4)·S_i), S = Σ|terms| from the oracle; without S
// the error is held against v0's, as a whole, by rows and by tiles (v0_error.h). NaN fails by construction: a value
// passes only when !(error ≤ bound) is false, and what is not finite only where the contract's policy and the truth
// have it. The contract's own rule is applied in addition when it names one (contract_rule.h). Sums of whole numbers
// have a demand of their own (exact_sums.h). Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "task/bind.h"
#include "task/task.h"
#include "task/types.h"

namespace hone::judge {

// The truth about one output of one content. Exactly one of `values` and `exact` is used, by the element type.
struct Truth {
  std::vector<double> values;      // floating outputs, float64
  std::vector<double> magnitudes;  // S per element; empty when the oracle offers none
  std::vector<std::byte> exact;    // integer outputs: the right bytes
};

// What is compared and how: fixed by the contract.
struct OutputRule {
  std::string argument;
  task::DType dtype = task::DType::f32;
  task::DType accumulate = task::DType::f32;
  uint64_t count = 0;
  uint64_t row_length = 1;  // innermost extent
  uint64_t terms = 1;       // K
  task::Compare compare;
  bool baseline_is_truth = false;  // oracles `baseline` and golden's timed content: `compare` alone decides
};

// Who says what is right: the contract's oracle, or v0 on the same content (then `compare` alone decides).
enum class TruthSource { oracle, baseline };

OutputRule rule_for(const task::Task& task, const task::BoundArgument& argument, TruthSource source);
// The rule for `count` neighbours out of a whole output. They may cut rows, and what is counted over all elements holds
// of some of them by chance: a part may mismatch four times as often as the whole, and may be all zeros.
OutputRule rule_for_part(OutputRule whole, uint64_t count);

struct CheckFailure {
  uint64_t index = 0;
  std::string expected;
  std::string found;
  std::optional<double> error_over_bound;
  std::string reason;  // which rule it broke, for people
};

struct CheckResult {
  uint64_t compared = 0;
  std::optional<double> worst_error_over_bound;
  std::optional<double> worst_absolute_error;
  std::optional<double> worst_relative_error;
  std::optional<CheckFailure> failure;

  bool passed() const { return !failure && compared > 0; }
};

// `found` holds rule.count elements. `baseline` = v0's output on the same content; needed when a floating output has no
// magnitudes.
CheckResult check_output(const OutputRule& rule, std::span<const std::byte> found, const Truth& truth,
                         std::optional<std::span<const std::byte>> baseline);

// What a sum of K terms may lose, as a fraction of S: u_acc·(√K + 4).
double accumulation_error(const OutputRule& rule);

// The bound of one element under the error model.
double error_bound(const OutputRule& rule, double truth, double magnitude);

// Pair check: do two arms' bytes of the same content agree within twice the bound taken at the case's largest
// magnitude? `largest_truth` and `largest_magnitude` come from the verify trials of that case. Disagreement is never a
// verdict.
struct PairScale {
  double largest_truth = 0;
  double largest_magnitude = 0;
  std::optional<double> largest_v0_error;  // when the oracle offers no magnitudes
};
bool pair_agrees(const OutputRule& rule, std::span<const std::byte> a, std::span<const std::byte> b,
                 const PairScale& scale);

// Is a truth finite everywhere and representable in the output's type, magnitudes too?
bool all_finite(const Truth& truth, task::DType dtype);
// Is it usable at all: the same, but for what the contract's policy lets an output hold?
bool is_usable(const Truth& truth, task::DType dtype, task::NonFinite policy);
// Is it sensitive: would zeros, or a constant, be told apart from it? False when all elements are equal or all are 0.
bool is_sensitive(const Truth& truth);

}  // namespace hone::judge
