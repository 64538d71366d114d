// Content: what a launch works on, described but not yet made. The device makes the bytes from the sub-key
// (device/fill.h), and so does the judge when it regenerates inputs for the oracle. Owns nothing of the Task, which
// must outlive it. Failures: contract (a formula that does not evaluate), io (a file that is gone).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "task/bind.h"

namespace hone::judge {

// What verification asks of every floating input besides the contract's own fill.
std::span<const device::Distribution> stress_distributions();

// Where inputs come from: the contract's fills, or the files of a golden oracle (which hold one content and serve
// verification only).
enum class ContentSource { fills, golden };

// A case made ready once per job: sizes, and per argument the parts of its content that do not depend on the sub-key.
class CaseContent {
 public:
  static Result<CaseContent> make(const task::Task& task, const task::BoundCase& bound,
                                  ContentSource source = ContentSource::fills);

  const task::BoundCase& bound() const { return bound_; }
  ContentSource source() const { return source_; }
  device::StagePlan stage_plan(const Digest& sub_key, device::Distribution distribution,
                               device::CacheState cache) const;
  // The inputs' bytes (in and inout) of that content, one per parameter; empty for the others.
  std::vector<std::vector<std::byte>> input_bytes(const Digest& sub_key, device::Distribution distribution) const;
  // The same case with that content as its own, every floating input off by the fraction, up or down by chance.
  CaseContent nudged(const Digest& sub_key, device::Distribution distribution, double fraction) const;
  // Whether this distribution changes anything for this case: some input is filled and not constant, formula or file.
  bool has_free_inputs() const;

 private:
  CaseContent(task::BoundCase bound, ContentSource source) : bound_(std::move(bound)), source_(source) {}
  task::BoundCase bound_;
  ContentSource source_;
  std::vector<device::FillPlan> contract_plans_;  // one per parameter
};

// Layout of the kernel's parameters for loading: capacities cover every case in `cases`.
std::vector<device::ParameterLayout> parameter_layout(const task::Task& task,
                                                      const std::vector<const CaseContent*>& cases);

}  // namespace hone::judge
