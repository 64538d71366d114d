// What a candidate does once for the launches of a block (phase "prepare", task/launch.h): it works on what is the same
// in all of them and fills `derived` buffers. What these hold is kept by the judge, as bytes, and stands in each of the
// launches anew, at another place every time: an address in it means nothing, and nothing can be kept there.
// A process of host code could keep things, in memory that no judge wipes: there `arm` is one that only prepares.
// Whoever asks prepares before anything else of the block is staged anywhere on the device: what prepares is not timed,
// and would have the time to look for it. Failures: those of the arm. One thread, as the arm.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/result.h"
#include "device/device.h"

namespace hone::device {

using DerivedBytes = std::map<size_t, std::shared_ptr<const std::vector<std::byte>>>;  // by parameter

// `plan` with these steps in the place of its own. What they do not take is poison to them, or 0.
StagePlan preparing(StagePlan plan, std::vector<LaunchStep> steps);

struct Preparation {
  DerivedBytes derived;
  LaunchOutcome outcome;  // its time is told, not counted
  Collected collected;    // what it did beside its buffers, if anything; nothing after a fault
};
// Stages `plan` (of preparing) in a set, launches it, takes what it made and overwrites the set.
Result<Preparation> prepare(Arm& arm, int set, const StagePlan& plan, Nanoseconds deadline);

// Derived buffers become inputs of the plan.
void hand_over(const DerivedBytes& derived, StagePlan& plan);

}  // namespace hone::device
