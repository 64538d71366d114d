// One case with everything worked out: axis values, element counts, bytes, scalar values, floors' numerators.
// bind_case computes in checked 64-bit before anything is allocated. Failure: contract, with the argument or axis
// named. A BoundCase points into the Task it came from, which must outlive it. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "task/candidate.h"
#include "task/task.h"

namespace hone::task {

// More terms than anybody waits for: 2**40 of them take a core a quarter of an hour for one element.
constexpr int64_t k_most_terms = int64_t{1} << 40;

struct BoundArgument {
  const Argument* argument = nullptr;
  std::vector<int64_t> shape;     // of a tensor map: what it states, empty for that of its base
  std::vector<int64_t> strides;   // in elements, one for each dimension; row-major when the contract states none
  uint64_t count = 0;             // elements; 1 for scalars
  uint64_t bytes = 0;             // of a buffer, first to last element by its strides; of space as stated; else 0
  uint64_t terms = 1;             // K of its comparison
  BoundValue value = int64_t{0};  // scalar, size

  // Of a buffer, from the first to the last one by its strides: more than `count` where an input has gaps, fewer where
  // it repeats elements.
  uint64_t elements() const;
};

struct BoundCase {
  std::string id;
  double weight = 1.0;
  bool hidden = false;
  std::map<std::string, int64_t> axes;
  std::vector<BoundArgument> arguments;  // in the kernel's order
  std::map<DType, double> flops;
  std::optional<double> bytes_read;  // as the contract states; absent when it does not
  std::optional<double> bytes_written;

  uint64_t input_bytes() const;   // in and inout
  uint64_t output_bytes() const;  // out and inout
};

// Buffers together may not exceed [limits] device_bytes. Without a variant every tunable has its default; it decides
// the bytes of space and the values of tunables that are arguments.
Result<BoundCase> bind_case(const Task& task, const Case& one, const Variant& variant = {});
// A development case inside the public domain: the first case with some of its bindings replaced; used for verify and
// time. Unknown names and values outside the range are contract errors.
Result<Case> synthetic_case(const Task& task, const std::map<std::string, BoundValue>& bind, std::string id);

// What a case axis may be. The contract's own words, and the public domain, where an absent maximum is the largest
// bound value.
struct AxisRange {
  int64_t minimum = 1;  // 0 only where the contract says so
  std::optional<int64_t> maximum;
  int64_t multiple_of = 1;
};
AxisRange stated_range(const Axis& axis);
AxisRange public_range(const Task& task, const Axis& axis);

// Files of an oracle of kind golden, relative to the task's folder: GOLDEN/CASE/ARG.bin holds an input, or the expected
// output of an argument with role out; the expected output of an inout argument is GOLDEN/CASE/ARG.expected.bin.
std::optional<std::string> golden_input(const Task& task, const std::string& case_id, const Argument& argument);
std::optional<std::string> golden_expected(const Task& task, const std::string& case_id, const Argument& argument);

}  // namespace hone::task
