// Calibration: the ceilings of the pinned cores, for floors and fractions of them.
// A ceiling is the highest rate that any of the kernels sustained over one repetition (cache levels and arithmetic:
// some milliseconds of passes; memory: one pass over more than the last-level cache, or over buffers that were flushed
// before, whichever is faster, since a cold case may leave its results in the cache). Nothing is extrapolated. A level
// that the machine does not name is absent. The empty launch is left absent: it takes a runner, which the caller has.
// Failure: environment, when the cores cannot be used or memory is short. Takes about the budget; nothing else should
// run meanwhile.
#pragma once

#include <string_view>

#include "base/result.h"
#include "device/ceilings.h"
#include "device/cpu/topology.h"
#include "device/device.h"

namespace hone::device::cpu {

// Uses the first `threads` cores of the identity. Times out softly: each figure gets its share of the budget and at
// least three repetitions.
Result<Ceilings> calibrate(const Identity& identity, int threads, double budget_seconds);

// One ceiling again, next to a candidate that seems to beat it (JUDGE.md 3). `level` and `dtype` as they stand in
// Ceilings.
Result<LevelBandwidth> measure_level(const Identity& identity, int threads, std::string_view level,
                                     double budget_seconds);
Result<ArithmeticRate> measure_arithmetic(const Identity& identity, int threads, std::string_view dtype,
                                          double budget_seconds);

}  // namespace hone::device::cpu
