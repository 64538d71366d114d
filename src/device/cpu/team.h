// A team of threads, one pinned to each core, that run the same piece of work at the same time; for calibration alone.
// The figure is wall time from the first start to the last end, the best repetition of those that fit the budget (at
// least three). Work is made inside its thread, so that its memory lies near that core. The caller's own affinity is
// untouched. Failure: environment, when a core cannot be used. Any thread.
#pragma once

#include <functional>
#include <vector>

#include "base/result.h"

namespace hone::device::cpu {

struct Work {
  std::function<void()> prepare = [] {};  // untimed, before each repetition
  std::function<void()> run;
};

Result<double> best_seconds(const std::vector<int>& cores, const std::function<Work()>& make, double budget_seconds);

}  // namespace hone::device::cpu
