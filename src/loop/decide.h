// From a verdict to an experiment's status: pure, one table (JUDGE.md 6).
// A result between the previous and the best is NEUTRAL, never dropped; TARGET_MET is decided by the incumbent's
// measured time.
#pragma once

#include <optional>

#include "campaign/event.h"
#include "campaign/verdict.h"

namespace hone::loop {

struct Decision {
  campaign::ExperimentStatus status = campaign::ExperimentStatus::neutral;
  std::string reason;
  std::optional<double> delta;  // fraction, + is faster
};

Decision decide(const campaign::Verdict& verdict, std::optional<double> target_seconds);

}  // namespace hone::loop
