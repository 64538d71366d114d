// The contract's own comparison rule ([args.compare]), reproduced exactly and applied in addition to hone's bound. The
// rules of task formats in use are data here:
//   tolerance   allclose: atol + rtol·s; both: an element fails only beyond atol and beyond rtol·s; either: beyond one;
//               absolute, relative, exact; total: Σ|error| ≤ atol over the whole output
//   s           |reference| or |output|, plus relative_floor
//   exceptions  matched_ratio of the elements must hold; what does not may not sit together (clusters.h), nor be off by
//               more than `ceiling` tolerances or by more than error_cap
//   nonfinite   which values besides numbers may stand where the truth holds the same; all zeros can be refused
// Tolerances of sampled outputs (chi-square at α = 10^-6) are none of them: no contract can declare a sampled output.
// Pure; any thread.
#pragma once

#include <vector>

#include "judge/walk.h"

namespace hone::judge {

void check_contract_rule(const OutputRule& rule, const std::vector<double>& found, const Truth& truth, Walk& walk);

// How far one element may be off. Of the rule `total`: how far all of them may be, together.
double tolerance_of(const task::Compare& compare, double truth, double found);

}  // namespace hone::judge
