// How long launches take: the probe that plans a comparison's rounds, and the measurement without a decision.
#include <algorithm>
#include <cmath>

#include "judge/constants.h"
#include "judge/device_bench.h"
#include "stats/estimate.h"

namespace hone::judge {

// How long a launch takes decides, once per job, how many quads make a round and whether launches are grouped.
Result<std::optional<Failure>> DeviceBench::probe_timing(ArmName arm) {
  if (!incumbent_ns_.empty()) return std::optional<Failure>();
  HONE_TRY(LoadAnswer loaded, load(arm, timed_, 2, {"probe", 0}));
  if (loaded.failure) return std::move(loaded.failure);
  for (const CaseContent* content : timed_) {
    std::vector<double> times;
    for (size_t i = 0; i < k_probe_launches; ++i) {
      const Digest key = secret_.sub_key({"probe", content->bound().id, "", 0, attempts_, i});
      HONE_TRY(LaunchResult launched, launch(loaded.loaded, {content, {key}, device::Distribution::contract, {}}));
      if (launched.failure) return std::move(launched.failure);
      if (i > 0) times.push_back(launched.nanoseconds);
    }
    incumbent_ns_[content] = std::max(stats::median(times), 1.0);
  }
  return std::optional<Failure>();
}

// Short launches are timed in groups in stage 1 alone: a candidate can learn that they come in groups, note what each
// is asked and answer all at once in the last. What is confirmed is confirmed launch by launch, hand-over included.
TimingPlan DeviceBench::timing_of(const CaseContent& content, std::string_view stage) const {
  const double launch_ns = incumbent_ns_.at(&content);
  TimingPlan plan;
  const bool runs_in_a_runner = device_.identity().is_of_cores();
  // A group would be of one block, whose weights its later launches could have kept.
  const bool grouped = runs_in_a_runner && !prepares_apart() && stage == "stage1" && task_.limits.threads == 1;
  if (grouped && launch_ns < k_shortest_unit_ns)
    plan.group = std::min(k_largest_group, static_cast<size_t>(std::ceil(k_shortest_unit_ns / launch_ns)));
  plan.quads = stats::quads_per_round(rule_, launch_ns * static_cast<double>(plan.group),
                                      is_device_only() ? rule_.gpu_round_ns : rule_.cpu_round_ns);
  if (is_device_only() && stage == "confirmation")
    plan.quads = std::max(plan.quads / k_fewer_quads_apart, std::min(plan.quads, rule_.min_quads));
  return plan;
}

OracleSpeed DeviceBench::oracle_speed() const {
  return slowest_oracle_seconds_ > k_slow_oracle_seconds ? OracleSpeed::slow : OracleSpeed::fast;
}

// Some processes of one arm; the outputs of their timed launches are checked after each.
class DeviceBench::MeasureRun {
 public:
  MeasureRun(DeviceBench& bench, ArmName arm, Nanoseconds time_limit)
      : bench_(bench), arm_(arm), time_limit_(time_limit) {}
  Result<MeasureAnswer> run();

 private:
  Result<std::optional<Failure>> time_case(LoadedArm& arm, const CaseContent& content, size_t process);
  Result<std::optional<Failure>> run_spot(LoadedArm& arm, const Spot& spot, size_t process);
  Result<std::optional<Failure>> time_cases(size_t process);
  Result<std::optional<Failure>> check_witnesses();
  bool is_enough() const;
  Nanoseconds share_of_a_case() const {
    return time_limit_ / static_cast<int64_t>(k_measure_processes * bench_.timed_.size());
  }

  DeviceBench& bench_;
  ArmName arm_;
  Nanoseconds time_limit_;
  double oracle_seconds_before_ = 0;
  uint64_t spots_run_ = 0;
  std::vector<Witness> drawn_;   // are checked
  std::vector<Witness> others_;  // are checked while there is time
  MeasureAnswer answer_;
};

// Keeps some of the launches, each with the same chance, without knowing how many there will be (reservoir sampling):
// nobody can tell a launch that is kept from another, early or late.
class Kept {
 public:
  explicit Kept(const Draws& draws) : draws_(draws) {}

  // The place that the next launch takes, or none. The first ones are all kept, for now.
  std::optional<size_t> next_place() {
    const uint64_t launch = launches_++;
    const uint64_t place = launch < k_checked_launches ? launch : draws_.below(launch + 1);
    return place < k_checked_launches ? std::optional(static_cast<size_t>(place)) : std::nullopt;
  }

 private:
  Draws draws_;
  uint64_t launches_ = 0;
};

Result<std::optional<Failure>> DeviceBench::MeasureRun::time_case(LoadedArm& arm, const CaseContent& content,
                                                                  size_t process) {
  const SystemClock clock;
  const Nanoseconds until = clock.now() + share_of_a_case();
  Kept kept(Draws(bench_.secret_.sub_key({"measure-checks", content.bound().id, "", process, bench_.attempts_, 0})));
  std::vector<Witness> drawn(k_checked_launches);
  const std::vector<device::Range> whole = bench_.whole_outputs(content);
  const bool small = content.bound().output_bytes() <= k_tile_bytes;
  Spots spots = bench_.spots({"measure-spots", content.bound().id, "", process, bench_.attempts_, 0},
                             k_spots_of_a_measurement, bench_.sets_in_turn());
  for (uint64_t i = 0; i <= k_most_launches; ++i) {
    if (i > k_fewest_launches && clock.now() >= until) break;
    while (spots.comes()) {
      HONE_TRY(auto wrong, run_spot(arm, spots.next(), process));
      if (wrong) return wrong;
    }
    const std::optional<size_t> place = kept.next_place();
    Witness witness{
        arm_, &content, device::Distribution::contract, {}, small || place ? whole : std::vector<device::Range>(), {}};
    witness.sub_key =
        bench_.in_block(bench_.secret_.sub_key({"measure", content.bound().id, "", process, bench_.attempts_, i}),
                        {"block", content.bound().id, "measure", process, bench_.attempts_, 0});
    HONE_TRY(LaunchResult launched,
             bench_.launch(arm, {&content, {witness.sub_key}, witness.distribution, witness.ranges}));
    if (launched.failure) return std::move(launched.failure);
    if (i > 0) answer_.times[content.bound().id].push_back(launched.nanoseconds);
    witness.bytes = std::move(launched.gathered.front());
    if (place) std::swap(witness, drawn[*place]);
    if (small && witness.content != nullptr) others_.push_back(std::move(witness));
  }
  std::move(drawn.begin(), drawn.end(), std::back_inserter(drawn_));
  return std::optional<Failure>();
}

Result<std::optional<Failure>> DeviceBench::MeasureRun::run_spot(LoadedArm& arm, const Spot& spot, size_t process) {
  const Digest key =
      bench_.secret_.sub_key({"measure-spot", spot.content->bound().id, "", process, bench_.attempts_, spots_run_++});
  Witness witness{arm_, spot.content, spot.distribution, key, bench_.whole_outputs(*spot.content), {}};
  HONE_TRY(LaunchResult launched, bench_.launch(arm, {spot.content, {key}, spot.distribution, witness.ranges}));
  if (launched.failure) return std::move(launched.failure);
  witness.bytes = std::move(launched.gathered.front());
  drawn_.push_back(std::move(witness));
  return std::optional<Failure>();
}

Result<std::optional<Failure>> DeviceBench::MeasureRun::time_cases(size_t process) {
  HONE_TRY(LoadAnswer loaded, bench_.load(arm_, bench_.timed_, bench_.sets_in_turn(), {"measure", process}));
  if (loaded.failure) return std::move(loaded.failure);
  for (const CaseContent* content : bench_.timed_) {
    HONE_TRY(auto failure, time_case(loaded.loaded, *content, process));
    if (failure) return failure;
  }
  return std::optional<Failure>();
}

bool DeviceBench::MeasureRun::is_enough() const {
  if (bench_.oracle_speed() == OracleSpeed::slow) return answer_.oracle_checks >= k_slow_checks_per_stage;
  const double spent = bench_.report_.oracle_seconds - oracle_seconds_before_;
  return drawn_.empty() && spent > k_oracle_share_of_measure * to_seconds(time_limit_);
}

Result<std::optional<Failure>> DeviceBench::MeasureRun::check_witnesses() {
  Draws draws(bench_.secret_.sub_key({"measure-order", "", "", 0, bench_.attempts_, 0}));
  draws.shuffle(others_);
  while (!(drawn_.empty() && others_.empty()) && !is_enough()) {
    std::vector<Witness>& from = drawn_.empty() ? others_ : drawn_;
    const Witness witness = std::move(from.back());
    from.pop_back();
    campaign::Correctness counts;
    HONE_TRY(auto failure, bench_.check_against_oracle(witness, counts));
    answer_.oracle_checks += counts.launches_checked_against_oracle;
    if (failure) return failure;
  }
  drawn_.clear();
  others_.clear();
  return std::optional<Failure>();
}

Result<MeasureAnswer> DeviceBench::MeasureRun::run() {
  oracle_seconds_before_ = bench_.report_.oracle_seconds;
  for (size_t process = 0; process < k_measure_processes && !answer_.failure; ++process) {
    HONE_TRY(answer_.failure, time_cases(process));
    if (answer_.failure) break;
    HONE_TRY(answer_.failure, check_witnesses());  // the process has ended: nothing of the arm runs beside the oracle
  }
  if (answer_.failure) answer_.times.clear();
  return std::move(answer_);
}

Result<MeasureAnswer> DeviceBench::measure(ArmName arm, Nanoseconds time_limit) {
  return MeasureRun(*this, arm, time_limit).run();
}

}  // namespace hone::judge
