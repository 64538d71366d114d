// The elements of an input whose fill is a formula of `i`, the flat index of the element, and the axes.
// One element may take few steps and one argument not many more than its elements, so that a dear formula is told
// when the contract is read instead of holding every trial. Failure: contract, at the formula's place, with the
// element, the argument and the case. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "task/bind.h"

namespace hone::task {

constexpr uint64_t k_element_step_limit = 1'000;        // of one element: some hundred operations
constexpr uint64_t k_formula_step_limit = 500'000'000;  // of one argument in one case: some seconds

// The first and last elements and some between, without holding them; the cost of all of them is reckoned from these.
Status check_formula(const BoundArgument& argument, const BoundCase& bound);
// All of them. Values are as the formula gives them; whoever stores them rounds.
Result<std::vector<double>> formula_values(const BoundArgument& argument, const BoundCase& bound);

}  // namespace hone::task
