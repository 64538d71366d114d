// Test support: a device without processes. A candidate is known by the text of its first file, and a test says what
// each text does in a launch. Every act is written down in order: "load B", "stage B", "launch B", "collect B", "scrub
// B", "end B".
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "device/device.h"

namespace hone::judge {

// One launch as the fake kernel sees it, and what comes of it.
struct FakeLaunch {
  uint64_t in_process = 0;                       // launches of this arm before
  uint64_t in_all = 0;                           // launches of this candidate before, in every process of the test
  std::vector<std::vector<std::byte>>& buffers;  // one per parameter; empty for scalars
  const device::StagePlan& plan;

  double nanoseconds = 1e9;                                     // so slow that a round has the fewest quads
  std::optional<double> by_the_judges_clock_ns = std::nullopt;  // in windows; absent: as by the device's
  std::optional<double> disturbed_fraction = std::nullopt;
  std::optional<device::Fault> fault = std::nullopt;
  bool guards_intact = true;
  bool inputs_intact = true;

  float* floats(size_t parameter) { return reinterpret_cast<float*>(buffers[parameter].data()); }
  size_t count(size_t parameter) const { return buffers[parameter].size() / sizeof(float); }
};

using Behaviour = std::function<void(FakeLaunch&)>;

// What the device was asked to stage, in order.
struct Staged {
  std::string text;
  Digest sub_key;
  std::vector<task::BoundValue> scalars;
  device::CacheState cache = device::CacheState::cold;
  device::Distribution distribution = device::Distribution::contract;  // of the inputs that are free
};

inline device::Distribution distribution_of(const device::StagePlan& plan) {
  const auto free = std::find_if(plan.plans.begin(), plan.plans.end(), [](const device::FillPlan& one) {
    return one.distribution != device::Distribution::contract;
  });
  return free == plan.plans.end() ? device::Distribution::contract : free->distribution;
}

struct FakeDeviceLog {
  std::vector<std::string> acts;
  std::vector<Staged> staged;
  std::vector<device::LoadRequest> loads;
  std::vector<std::string> loaded;  // texts, beside `loads`
  std::vector<device::Range> gathered;
  std::map<std::string, uint64_t> launches;
  int alive = 0;                                            // arms that are loaded now
  std::map<std::string, device::Occupancy> occupancy = {};  // what it answers, by kernel
  std::vector<std::vector<device::LaunchStep>> asked = {};  // for occupancy
};

class FakeArm final : public device::Arm {
 public:
  FakeArm(std::string text, Behaviour behaviour, const device::LoadRequest& request, FakeDeviceLog& log)
      : text_(std::move(text)), behaviour_(std::move(behaviour)), log_(log), sets_(static_cast<size_t>(request.sets)) {
    ++log_.alive;
  }
  ~FakeArm() override {
    --log_.alive;
    log_.acts.push_back("end " + text_);
  }

  Status stage(int set, const device::StagePlan& plan) override {
    log_.acts.push_back("stage " + text_);
    log_.staged.push_back({text_, plan.sub_key, plan.scalars, plan.cache, distribution_of(plan)});
    Set& into = sets_.at(static_cast<size_t>(set));
    into.plan = plan;
    into.buffers.resize(plan.plans.size());  // a set keeps its memory, like that of a device
    into.guards_intact = into.inputs_intact = true;
    for (size_t i = 0; i < plan.plans.size(); ++i) {
      if (!task::is_buffer(plan.roles[i])) continue;
      std::vector<std::byte>& buffer = into.buffers[i];
      buffer.resize(plan.plans[i].count * task::size_bytes(plan.plans[i].dtype));
      const auto index = static_cast<uint32_t>(i);
      if (task::is_read(plan.roles[i])) device::fill(buffer, plan.plans[i], plan.sub_key, index);
      if (!task::is_read(plan.roles[i])) device::poison(buffer, plan.plans[i].dtype, plan.sub_key, index);
    }
    return ok();
  }

  Result<device::LaunchOutcome> launch(std::span<const int> sets, Nanoseconds) override {
    log_.acts.push_back("launch " + text_);
    device::LaunchOutcome outcome;
    double sum_ns = 0;
    for (const int set : sets) {
      Set& on = sets_.at(static_cast<size_t>(set));
      FakeLaunch launch{launches_++, log_.launches[text_]++, on.buffers, on.plan};
      behaviour_(launch);
      if (launch.fault) return device::LaunchOutcome{std::nullopt, launch.fault};
      sum_ns += launch.nanoseconds;
      on.guards_intact = launch.guards_intact;
      on.inputs_intact = launch.inputs_intact;
      if (launch.disturbed_fraction) outcome.disturbed_fraction = launch.disturbed_fraction;
    }
    outcome.nanoseconds = sum_ns / static_cast<double>(sets.size());
    return outcome;
  }

  Status step_in() override {
    log_.acts.push_back("step in " + text_);
    return ok();
  }

  double cache_state_ns() const { return text_ == "A" ? 1e5 : 1.2e5; }

  Result<device::LaunchOutcome> window(std::span<const int> sets, size_t count, device::Windowed what,
                                       Nanoseconds) override {
    log_.acts.push_back((what == device::Windowed::launches ? "window " : "states ") + text_);
    double sum_ns = cache_state_ns() * static_cast<double>(count);
    for (size_t i = 0; i < count && what == device::Windowed::launches; ++i) {
      Set& on = sets_.at(static_cast<size_t>(sets[i % sets.size()]));
      FakeLaunch launch{launches_++, log_.launches[text_]++, on.buffers, on.plan};
      behaviour_(launch);
      if (launch.fault) return device::LaunchOutcome{std::nullopt, launch.fault};
      sum_ns += launch.by_the_judges_clock_ns.value_or(launch.nanoseconds);
      on.guards_intact = launch.guards_intact;
    }
    return device::LaunchOutcome{sum_ns, std::nullopt};
  }

  Result<std::vector<std::optional<device::Occupancy>>> occupancy(std::span<const device::LaunchStep> steps) override {
    std::vector<std::optional<device::Occupancy>> found(steps.size());
    log_.asked.emplace_back(steps.begin(), steps.end());
    for (size_t i = 0; i < steps.size(); ++i) {
      const auto known = log_.occupancy.find(steps[i].entry);
      if (known != log_.occupancy.end()) found[i] = known->second;
    }
    return found;
  }

  Result<device::Collected> collect(int set, std::span<const device::Range> ranges) override {
    log_.acts.push_back("collect " + text_);
    const Set& from = sets_.at(static_cast<size_t>(set));
    device::Collected collected;
    collected.guards_intact = from.guards_intact;
    collected.inputs_intact = from.inputs_intact;
    if (!from.guards_intact || !from.inputs_intact)
      collected.violation = "behind byte " + std::to_string(from.buffers[ranges.front().parameter].size());
    log_.gathered.insert(log_.gathered.end(), ranges.begin(), ranges.end());
    for (const device::Range& range : ranges) {
      const auto begin = from.buffers[range.parameter].begin() + static_cast<ptrdiff_t>(range.offset_bytes);
      collected.bytes.emplace_back(begin, begin + static_cast<ptrdiff_t>(range.size_bytes));
    }
    return collected;
  }

  Status scrub(int set) override {
    log_.acts.push_back("scrub " + text_);
    for (std::vector<std::byte>& buffer : sets_.at(static_cast<size_t>(set)).buffers)
      std::fill(buffer.begin(), buffer.end(), std::byte{0xff});
    return ok();
  }

 private:
  struct Set {
    device::StagePlan plan;
    std::vector<std::vector<std::byte>> buffers;
    bool guards_intact = true;
    bool inputs_intact = true;
  };
  std::string text_;
  Behaviour behaviour_;
  FakeDeviceLog& log_;
  std::vector<Set> sets_;
  uint64_t launches_ = 0;
};

class FakeDevice final : public device::Device {
 public:
  FakeDevice() {
    identity_.kind = "fake";
    identity_.name = "fake";
    identity_.cores = {0};
  }

  std::map<std::string, Behaviour> behaviours;
  std::map<std::string, device::CompileFault> compile_faults;
  std::map<std::string, device::Fault> load_faults;
  FakeDeviceLog log;
  std::vector<device::CompileRequest> compiled;
  std::vector<device::KernelResources> resources;  // of everything that it compiles

  // As a GPU: no cores, and memory for sets of buffers.
  void be_device_only() {
    identity_.cores.clear();
    identity_.trust = device::Trust::device_only;
    identity_.memory_bytes = 1ull << 30;
  }

  void limit_launches(const task::LaunchLimits& limits) { identity_.launch_limits = limits; }

  const device::Identity& identity() const override { return identity_; }
  Result<device::CompileOutcome> compile(const device::CompileRequest& request) override {
    const std::scoped_lock held(compiling_);
    compiled.push_back(request);
    const std::string& text = request.files.front().bytes;
    device::CompileOutcome outcome;
    if (const auto fault = compile_faults.find(text); fault != compile_faults.end()) {
      outcome.fault = fault->second;
      outcome.messages = "the compiler's words";
      return outcome;
    }
    outcome.artefact = device::Artefact{sha256(text), {}, {}, {text}, resources};
    return outcome;
  }
  Result<device::LoadOutcome> load(const device::LoadRequest& request) override {
    const std::string text = request.artefact.objects.front();
    log.acts.push_back("load " + text);
    log.loads.push_back(request);
    log.loaded.push_back(text);
    if (const auto fault = load_faults.find(text); fault != load_faults.end())
      return device::LoadOutcome{nullptr, fault->second};
    return device::LoadOutcome{std::make_unique<FakeArm>(text, behaviours.at(text), request, log), std::nullopt};
  }
  std::vector<std::string> active_layers() const override { return {"none"}; }

  // What its checker answers, and what it was shown.
  std::vector<device::SanitizerRun> sanitizer_runs;
  std::vector<device::WatchedLaunch> watched;
  Nanoseconds sanitizer_limit{0};

  Result<std::vector<device::SanitizerRun>> sanitize(std::span<const device::WatchedLaunch> launches,
                                                     Nanoseconds limit) override {
    watched.assign(launches.begin(), launches.end());
    sanitizer_limit = limit;
    return sanitizer_runs;
  }

 private:
  device::Identity identity_;
  std::mutex compiling_;
};

}  // namespace hone::judge
