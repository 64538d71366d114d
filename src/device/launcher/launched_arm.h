// LaunchedArm: an arm of device/device.h that a launcher holds. Stages are told and not answered; a launch is one
// question, and brings along what was expected of it; a collect of anything else is another. Ownership: unloads itself,
// while its launcher lives. Failure, threading: as device.h.
#pragma once

#include <memory>
#include <vector>

#include "device/cuda/watch.h"
#include "device/launcher/launcher.h"

namespace hone::device::launcher {

class LaunchedArm final : public Arm {
 public:
  // `watch` says what the device was like during a launch; null: nothing does.
  LaunchedArm(std::shared_ptr<Launcher> launcher, uint32_t number, LoadRequest request, Trust trust,
              std::shared_ptr<const cuda::Watch> watch);
  ~LaunchedArm() override;

  Status stage(int set, const StagePlan& plan) override;
  void expect(std::span<const Range> ranges) override { expected_.assign(ranges.begin(), ranges.end()); }
  Result<LaunchOutcome> launch(std::span<const int> sets, Nanoseconds deadline) override;
  Status step_in() override;
  Result<LaunchOutcome> window(std::span<const int> sets, size_t count, Windowed what, Nanoseconds deadline) override;
  Result<Collected> collect(int set, std::span<const Range> ranges) override;
  Status scrub(int set) override;
  Result<std::vector<std::optional<Occupancy>>> occupancy(std::span<const LaunchStep> steps) override;

 private:
  Result<StageRecord> record_of(int set, size_t parameter, const StagePlan& plan);
  Result<std::vector<StepRecord>> steps_of(std::span<const LaunchStep> steps) const;
  Status upload(int set, size_t parameter, const StagePlan& plan);
  bool can_bring_along(std::span<const int> sets, std::span<const Range> ranges) const;
  std::vector<std::vector<std::byte>> bytes_of(std::span<const Range> ranges) const;
  Result<FindingsRecord> collect_some(int set, std::span<const Range> ranges,
                                      std::vector<std::vector<std::byte>>& bytes);
  std::optional<cuda::WatchWords> conditions() const;
  static Result<LaunchOutcome> outcome_in(Unpacked& reply);
  Status settle(bool works = false);
  void tell(const FindingsRecord& findings, Collected& collected) const;

  std::shared_ptr<Launcher> launcher_;
  uint32_t number_ = 0;
  LoadRequest request_;
  std::vector<std::string> kernels_;
  Trust trust_;
  std::shared_ptr<const cuda::Watch> watch_;
  std::optional<Fault> fault_;  // stays
  std::vector<Range> expected_;
  struct Brought {
    int set = 0;
    std::vector<Range> ranges;
    Collected collected;
  };
  std::optional<Brought> brought_;  // along with the last launch
};

}  // namespace hone::device::launcher
