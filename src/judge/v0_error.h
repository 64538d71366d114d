// The measure without magnitudes (JUDGE.md 4): a candidate's error may be 3 × v0's in RMS and 8 × its largest, on the
// same content, plus 1 ulp of the output type at the scale of the group: for the whole output, for every row of at
// least 64 elements, and for every tile of about 32 × 32 (tiling.h). v0 is the contract's own precision; it is never
// the truth. The factors are those of eager-against-float64 checks in use, 2 to 3 for the RMS. Pure; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "judge/walk.h"

namespace hone::judge {

// `baseline` holds v0's bytes of the whole output, in the output's type.
void check_against_v0(const OutputRule& rule, const std::vector<double>& found, const Truth& truth,
                      std::span<const std::byte> baseline, Walk& walk);

}  // namespace hone::judge
