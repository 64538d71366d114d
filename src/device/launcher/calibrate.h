// Calibration of a device on which hone launches kernels: its ceilings, by hone's own kernels, launched and timed as a
// candidate's are, each from the judged cache state. A ceiling is the highest rate that any launch reached. Memory: one
// pass over far more than the cache holds; the cache: many passes over a quarter of it, so that the launch does not
// count; absent where the device does not say how large its cache is.
// Failure: environment, when the device does not build or run hone's kernels. Takes about the budget; nothing else
// should run on the device meanwhile.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "device/ceilings.h"
#include "device/device.h"

namespace hone::device::launcher {

// The text of the kernels for a language, as duties_text.
std::string calibrate_text(std::string_view language);

Result<Ceilings> calibrate(Device& device, double budget_seconds);

// One ceiling again, next to a candidate that seems to beat it (JUDGE.md 3). `level` as it stands in Ceilings.
Result<LevelBandwidth> measure_level(Device& device, std::string_view level, double budget_seconds);
Result<double> measure_empty_launch(Device& device, double budget_seconds);

}  // namespace hone::device::launcher
