// CpuArm: one loaded candidate with its ring of buffer sets; steps 2 to 7 of a launch (JUDGE.md 2).
// All staging and collecting happens through the judge's own mappings while the process stands still. Guard zones are
// random bytes, new at every staging, kept in private copies. Inputs are sealed against writing by the arm, so they
// need no check. Ownership: the process and its buffers; the content cache must outlive the arm. Failure: internal for
// a plan that does not fit the layout; faults are values. One thread.
#pragma once

#include <memory>
#include <vector>

#include "device/cpu/content_cache.h"
#include "device/cpu/runner.h"

namespace hone::device::cpu {

class CpuArm : public Arm {
 public:
  CpuArm(std::unique_ptr<Runner> runner, std::shared_ptr<ContentCache> contents);

  Status stage(int set, const StagePlan& plan) override;
  Result<LaunchOutcome> launch(std::span<const int> sets, Nanoseconds deadline) override;
  Result<Collected> collect(int set, std::span<const Range> ranges) override;
  Status scrub(int set) override;

  const Runner& runner() const { return *runner_; }

 private:
  // What a set holds of one parameter since it was staged.
  struct Staged {
    uint64_t payload_bytes = 0;
    std::vector<std::byte> guard_before;
    std::vector<std::byte> guard_after;
  };

  Status stage_buffer(int set, size_t parameter, const StagePlan& plan);
  void write_guards(const Buffer& buffer, Staged& staged, const StagePlan& plan, size_t parameter);
  void bring_caches_to(CacheState state, int set);
  Status check_set(int set) const;
  Result<std::vector<std::byte>> copy(int set, const Range& range) const;
  std::string broken_guard(int set, size_t parameter) const;

  std::unique_ptr<Runner> runner_;
  std::shared_ptr<ContentCache> contents_;
  std::vector<std::vector<Staged>> staged_;  // [set][parameter]
};

}  // namespace hone::device::cpu
