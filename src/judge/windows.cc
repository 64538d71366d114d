// Windows of DeviceBench: the judge's own clock over many launches at once, to hold the device's clock against
// (JUDGE.md 3). What a kernel writes over the marks of its launch, or does to the clock that stamps them, changes
// nothing about when the judge's question is answered.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "judge/constants.h"
#include "judge/device_bench.h"

namespace hone::judge {

// Several times for every case: of both arms in an order by the coin its cache states alone, and then its launches,
// over the same contents. Of each arm its own: what is read for it lies elsewhere in the memory, and takes another
// time. Arms are loaded anew each time, as in a round: where their buffers lie is part of what differs.
class DeviceBench::WindowsRun {
 public:
  explicit WindowsRun(DeviceBench& bench)
      : bench_(bench), draws_(bench.secret_.sub_key({"windows", "", "", 0, bench.attempts_, 0})) {}

  Result<WindowsAnswer> run();

 private:
  using ArmPair = std::array<LoadedArm, 2>;  // by ArmName

  Result<std::optional<Failure>> load_arms(uint64_t number);
  Result<std::optional<Failure>> time_case(const CaseContent& content, uint64_t number, RoundRecord& record);
  Result<LaunchResult> one_window(ArmName arm, const LaunchRequest& request, size_t count, device::Windowed what);
  LaunchRequest request_for(const CaseContent& content, uint64_t number);
  Result<size_t> count_of(const CaseContent& content, const LaunchRequest& request);
  void keep_witnesses(const LaunchRequest& request, const std::array<LaunchResult, 2>& arms, uint64_t number);

  DeviceBench& bench_;
  Draws draws_;
  ArmPair arms_;
  std::map<const CaseContent*, size_t> counts_;
  std::vector<Witness> witnesses_;
  WindowsAnswer answer_;
};

Result<std::optional<Failure>> DeviceBench::WindowsRun::load_arms(uint64_t number) {
  for (const ArmName name : {ArmName::incumbent, ArmName::candidate}) {
    HONE_TRY(LoadAnswer loaded, bench_.load(name, bench_.timed_, bench_.sets_in_turn(), {"confirmation", number}));
    if (loaded.failure) return std::move(loaded.failure);
    arms_[static_cast<size_t>(name)] = std::move(loaded.loaded);
  }
  return std::optional<Failure>();
}

// So many launches that they and the cache states between them fill a window; found once for every case.
Result<size_t> DeviceBench::WindowsRun::count_of(const CaseContent& content, const LaunchRequest& request) {
  const auto known = counts_.find(&content);
  if (known != counts_.end()) return known->second;
  HONE_TRY(const LaunchResult states,
           one_window(ArmName::incumbent, request, k_probe_states, device::Windowed::cache_states));
  const double unit_ns = bench_.incumbent_ns_.at(&content) + states.nanoseconds / static_cast<double>(k_probe_states);
  const double count = std::ceil(bench_.rule_.min_window_ns / unit_ns);
  return counts_[&content] = static_cast<size_t>(std::clamp(count, 1.0, static_cast<double>(k_most_window_launches)));
}

LaunchRequest DeviceBench::WindowsRun::request_for(const CaseContent& content, uint64_t number) {
  LaunchRequest request{&content, {}, device::Distribution::contract, bench_.tiles(content, draws_)};
  for (int set = 0; set < bench_.sets_in_turn(); ++set)
    request.sub_keys.push_back(bench_.in_block(bench_.secret_.sub_key({"window", content.bound().id, "", number,
                                                                       bench_.attempts_, static_cast<uint64_t>(set)}),
                                               {"block", content.bound().id, "windows", number, bench_.attempts_, 0}));
  return request;
}

Result<LaunchResult> DeviceBench::WindowsRun::one_window(ArmName name, const LaunchRequest& request, size_t count,
                                                         device::Windowed what) {
  LoadedArm& arm = arms_[static_cast<size_t>(name)];
  const Stopwatch held(bench_.report_.device_seconds);
  HONE_TRY(const std::vector<int> sets, bench_.stage(arm, request));
  const Nanoseconds deadline = from_seconds(bench_.task_.limits.case_seconds) * static_cast<int64_t>(count);
  HONE_TRY(const device::LaunchOutcome outcome, arm.arm->window(sets, count, what, deadline));
  // Without launches nothing was written that could be looked at.
  if (what == device::Windowed::launches || outcome.fault) return bench_.collected(arm, request, sets, outcome);
  for (const int set : sets) HONE_CHECK(arm.arm->scrub(set));
  LaunchResult result;
  result.nanoseconds = outcome.nanoseconds.value_or(0);
  return result;
}

// The last outputs of every set: within the pair bound of the other arm's, or the reference decides; of one set by the
// dice it always does, of some windows where it is slow.
void DeviceBench::WindowsRun::keep_witnesses(const LaunchRequest& request, const std::array<LaunchResult, 2>& arms,
                                             uint64_t number) {
  const size_t drawn = draws_.below(request.sub_keys.size());
  const bool asks = bench_.oracle_speed() == OracleSpeed::fast || number < k_slow_checks_per_stage;
  for (size_t set = 0; set < request.sub_keys.size(); ++set) {
    const bool same = bench_.agree(*request.content, request.ranges, arms[0].gathered[set], arms[1].gathered[set]);
    if (same && !(asks && set == drawn)) continue;
    for (const ArmName name : {ArmName::candidate, ArmName::incumbent}) {
      const LaunchResult& result = arms[static_cast<size_t>(name)];
      witnesses_.push_back(
          {name, request.content, request.distribution, request.sub_keys[set], request.ranges, result.gathered[set]});
    }
  }
}

Result<std::optional<Failure>> DeviceBench::WindowsRun::time_case(const CaseContent& content, uint64_t number,
                                                                  RoundRecord& record) {
  const LaunchRequest request = request_for(content, number);
  for (LoadedArm& arm : arms_) {
    HONE_TRY(auto unprepared, bench_.prepare(arm, request));
    if (unprepared) return unprepared;
  }
  HONE_TRY(const size_t count, count_of(content, request));
  std::array<LaunchResult, 2> states;
  std::array<LaunchResult, 2> arms;
  std::array<ArmName, 2> order{ArmName::incumbent, ArmName::candidate};
  if (draws_.coin()) std::swap(order[0], order[1]);
  for (const ArmName name : order) {
    HONE_TRY(states[static_cast<size_t>(name)], one_window(name, request, count, device::Windowed::cache_states));
    LaunchResult& result = arms[static_cast<size_t>(name)];
    HONE_TRY(result, one_window(name, request, count, device::Windowed::launches));
    if (result.failure) return std::move(result.failure);
  }
  CaseSamples samples;
  samples.case_id = content.bound().id;
  samples.orders = {"ABBA"};
  const auto launch_ns = [&](ArmName name) {
    const auto arm = static_cast<size_t>(name);
    return (arms[arm].nanoseconds - states[arm].nanoseconds) / static_cast<double>(count);
  };
  const double a = launch_ns(ArmName::incumbent);
  const double b = launch_ns(ArmName::candidate);
  samples.times_ns = {{a, b, b, a}};
  record.cases.push_back(std::move(samples));
  keep_witnesses(request, arms, number);
  return std::optional<Failure>();
}

Result<WindowsAnswer> DeviceBench::WindowsRun::run() {
  for (uint64_t number = 0; number < k_windows && !answer_.failure; ++number) {
    HONE_TRY(answer_.failure, load_arms(number));
    if (answer_.failure) break;
    RoundRecord record;
    record.stage = "windows";
    record.index = number;
    for (const CaseContent* content : bench_.timed_) {
      HONE_TRY(answer_.failure, time_case(*content, number, record));
      if (answer_.failure) break;
    }
    answer_.records.push_back(std::move(record));
  }
  arms_ = {};
  HONE_TRY(auto wrong, bench_.check_witnesses(witnesses_, answer_.oracle_checks));
  if (!answer_.failure) answer_.failure = std::move(wrong);
  return std::move(answer_);
}

Result<WindowsAnswer> DeviceBench::windows() {
  if (!is_device_only()) return WindowsAnswer{};
  WindowsAnswer none;
  if (task_.has_role(task::Role::inout))
    none.note = "no windows by the judge's own clock: what is updated in place cannot be launched twice";
  if (task_.has_role(task::Role::symbol))
    none.note = "no windows by the judge's own clock: a constant cannot change between their launches";
  if (!none.note.empty()) return none;
  return WindowsRun(*this).run();
}

}  // namespace hone::judge
