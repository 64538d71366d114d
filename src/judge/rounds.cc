// Timing of DeviceBench: randomised quads in rounds, with every launch checked (JUDGE.md 2 and 3), and the rough timings beside them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "judge/device_bench.h"
#include "stats/estimate.h"
#include "stats/guards.h"

namespace hone::judge {

namespace {

// Constants of JUDGE.md 1 to 3.
constexpr uint64_t k_tile_bytes = 64 << 10;          // gathered of every output at least; all of a smaller one
constexpr uint64_t k_tiles = 4;                      // in how many secret places
constexpr uint64_t k_checked_pairs_per_round = 2;    // whole outputs against the oracle
constexpr double k_slow_oracle_seconds = 0.5;        // beyond it complete checks fall to 4 a stage
constexpr uint64_t k_slow_checks_share = 6;          // … by checking one pair in one round of six (4 of 24)
constexpr double k_shortest_unit_ns = 100e3;         // shorter launches drown in the hand-over and are timed in groups
constexpr size_t k_largest_group = 16;
constexpr size_t k_probe_launches = 7;               // to learn how long a launch takes
constexpr size_t k_warm_up_launches = 2;             // of each arm and case in a fresh process

Digest pair_key(const Secret& secret, const CaseContent& content, const RoundRequest& request, uint64_t attempt, uint64_t pair,
                size_t member) {
  return secret.sub_key({"content", content.bound().id, request.stage, request.index, attempt, pair * k_largest_group + member});
}

}  // namespace

// One round: two fresh arms, cases shuffled, quads ordered by a fair coin.
class DeviceBench::RoundRun {
 public:
  RoundRun(DeviceBench& bench, const RoundRequest& request)
      : bench_(bench), request_(request), attempt_(bench.attempts_), draws_(bench.secret_.sub_key({"round", "", request.stage, request.index, attempt_, 0})) {}

  Result<RoundAnswer> run();

 private:
  using ArmPair = std::array<LoadedArm, 2>;  // by ArmName
  struct PairPlan {
    const CaseContent* content = nullptr;
    std::vector<Digest> keys;
    std::vector<device::Range> ranges;
    bool checked = false;
  };

  Result<std::optional<Failure>> load_arms();
  Result<std::optional<Failure>> warm_up(const CaseContent& content);
  Result<std::optional<Failure>> run_case(const CaseContent& content);
  Result<std::optional<Failure>> run_quad(const CaseContent& content, CaseSamples& samples);
  Result<std::optional<Failure>> run_pair(const PairPlan& plan, std::array<ArmName, 2> order, double* times_ns);
  Result<std::optional<Failure>> check_witnesses();
  PairPlan plan_pair(const CaseContent& content);
  std::vector<device::Range> tiles(const CaseContent& content);
  void draw_checked_pairs();
  bool agrees(const PairPlan& plan, const LaunchResult& a, const LaunchResult& b) const;
  void keep_witnesses(const PairPlan& plan, const LaunchResult& launched, ArmName arm);
  int sets_needed() const;

  DeviceBench& bench_;
  const RoundRequest& request_;
  uint64_t attempt_;
  Draws draws_;
  ArmPair arms_;
  uint64_t pairs_ = 0;  // so far in this round
  std::vector<uint64_t> checked_pairs_;
  std::vector<Witness> witnesses_;
  RoundAnswer answer_;
  RoundRecord record_;
};

int DeviceBench::RoundRun::sets_needed() const {
  size_t most = 2;
  for (const auto& [content, timing] : bench_.timing_) most = std::max(most, timing.group);
  return static_cast<int>(most);
}

Result<std::optional<Failure>> DeviceBench::RoundRun::load_arms() {
  std::array<ArmName, 2> order{ArmName::incumbent, ArmName::candidate};
  if (draws_.coin()) std::swap(order[0], order[1]);
  for (const ArmName name : order) {
    HONE_TRY(LoadAnswer loaded, bench_.load(name, bench_.timed_, sets_needed(), bench_.layout_key(request_.stage, request_.index, name)));
    if (loaded.failure) return std::move(loaded.failure);
    arms_[static_cast<size_t>(name)] = std::move(loaded.loaded);
  }
  return std::optional<Failure>();
}

void DeviceBench::RoundRun::draw_checked_pairs() {
  uint64_t all = 0;
  for (const auto& [content, timing] : bench_.timing_) all += 2 * timing.quads;
  uint64_t wanted = k_checked_pairs_per_round;
  if (bench_.slowest_oracle_seconds_ > k_slow_oracle_seconds) wanted = draws_.below(k_slow_checks_share) == 0 ? 1 : 0;
  while (checked_pairs_.size() < std::min(wanted, all)) {
    const uint64_t pair = draws_.below(all);
    if (std::find(checked_pairs_.begin(), checked_pairs_.end(), pair) == checked_pairs_.end()) checked_pairs_.push_back(pair);
  }
}

// Small outputs whole; of large ones secret tiles at element boundaries, 64 KiB in all.
std::vector<device::Range> DeviceBench::RoundRun::tiles(const CaseContent& content) {
  std::vector<device::Range> ranges;
  for (const device::Range& whole : bench_.whole_outputs(content)) {
    if (whole.size_bytes <= k_tile_bytes) {
      ranges.push_back(whole);
      continue;
    }
    constexpr uint64_t tile = k_tile_bytes / k_tiles;
    constexpr uint64_t k_grain_bytes = 64;  // a multiple of every element size
    for (uint64_t i = 0; i < k_tiles; ++i) {
      const uint64_t places = (whole.size_bytes - tile) / k_grain_bytes + 1;
      ranges.push_back({whole.parameter, k_grain_bytes * draws_.below(places), tile});
    }
  }
  return ranges;
}

DeviceBench::RoundRun::PairPlan DeviceBench::RoundRun::plan_pair(const CaseContent& content) {
  PairPlan plan;
  plan.content = &content;
  const uint64_t pair = pairs_++;
  for (size_t member = 0; member < bench_.timing_.at(&content).group; ++member)
    plan.keys.push_back(pair_key(bench_.secret_, content, request_, attempt_, pair, member));
  plan.checked = std::find(checked_pairs_.begin(), checked_pairs_.end(), pair) != checked_pairs_.end();
  plan.ranges = plan.checked ? bench_.whole_outputs(content) : tiles(content);
  return plan;
}

bool DeviceBench::RoundRun::agrees(const PairPlan& plan, const LaunchResult& a, const LaunchResult& b) const {
  for (size_t member = 0; member < plan.keys.size(); ++member) {
    for (size_t i = 0; i < plan.ranges.size(); ++i) {
      const size_t parameter = plan.ranges[i].parameter;
      const auto scale = bench_.scales_.find({plan.content, parameter});
      if (scale == bench_.scales_.end()) return false;
      const OutputRule rule = rule_for(bench_.task_, plan.content->bound().arguments[parameter]);
      if (!pair_agrees(rule, a.gathered[member][i], b.gathered[member][i], scale->second)) return false;
    }
  }
  return true;
}

void DeviceBench::RoundRun::keep_witnesses(const PairPlan& plan, const LaunchResult& launched, ArmName arm) {
  for (size_t member = 0; member < plan.keys.size(); ++member)
    witnesses_.push_back({arm, plan.content, device::Distribution::contract, plan.keys[member], plan.ranges, launched.gathered[member]});
}

Result<std::optional<Failure>> DeviceBench::RoundRun::run_pair(const PairPlan& plan, std::array<ArmName, 2> order, double* times_ns) {
  std::array<LaunchResult, 2> launched;
  for (size_t i = 0; i < 2; ++i) {
    LoadedArm& arm = arms_[static_cast<size_t>(order[i])];
    HONE_TRY(launched[i], bench_.launch(arm, {plan.content, plan.keys, device::Distribution::contract, plan.ranges}));
    if (launched[i].failure) return std::move(launched[i].failure);
    times_ns[i] = launched[i].nanoseconds;
  }
  answer_.pair_checks += 2 * plan.keys.size();
  // A disagreement is never a verdict: it sends both launches to the oracle.
  const bool suspicious = !agrees(plan, launched[0], launched[1]);
  if (!suspicious && !plan.checked) return std::optional<Failure>();
  for (size_t i = 0; i < 2; ++i) keep_witnesses(plan, launched[i], order[i]);
  for (const Digest& key : plan.keys) record_.sub_keys.push_back(key.hex());
  return std::optional<Failure>();
}

Result<std::optional<Failure>> DeviceBench::RoundRun::run_quad(const CaseContent& content, CaseSamples& samples) {
  const bool candidate_first = draws_.coin();
  const ArmName a = candidate_first ? ArmName::candidate : ArmName::incumbent;
  const ArmName b = candidate_first ? ArmName::incumbent : ArmName::candidate;
  std::vector<double> times(4);
  HONE_TRY(auto first, run_pair(plan_pair(content), {a, b}, times.data()));
  if (first) return first;
  HONE_TRY(auto second, run_pair(plan_pair(content), {b, a}, times.data() + 2));
  if (second) return second;
  samples.orders.emplace_back(candidate_first ? "BAAB" : "ABBA");
  samples.times_ns.push_back(std::move(times));
  return std::optional<Failure>();
}

// The same duties as a timed launch, so that none can tell; only the time is not kept.
Result<std::optional<Failure>> DeviceBench::RoundRun::warm_up(const CaseContent& content) {
  for (size_t i = 0; i < k_warm_up_launches; ++i) {
    std::array<ArmName, 2> order{ArmName::incumbent, ArmName::candidate};
    if (draws_.coin()) std::swap(order[0], order[1]);
    PairPlan plan = plan_pair(content);
    // Pair numbers of warm-ups lie beyond those of the quads, which are what the drawn checks count.
    plan.checked = false;
    --pairs_;
    for (size_t member = 0; member < plan.keys.size(); ++member)
      plan.keys[member] = bench_.secret_.sub_key({"warm-up", content.bound().id, request_.stage, request_.index, attempt_, i * k_largest_group + member});
    double ignored[2];
    HONE_TRY(auto failure, run_pair(plan, order, ignored));
    if (failure) return failure;
  }
  return std::optional<Failure>();
}

Result<std::optional<Failure>> DeviceBench::RoundRun::run_case(const CaseContent& content) {
  CaseSamples samples;
  samples.case_id = content.bound().id;
  HONE_TRY(auto cold, warm_up(content));
  if (cold) return cold;
  for (size_t quad = 0; quad < bench_.timing_.at(&content).quads; ++quad) {
    HONE_TRY(auto failure, run_quad(content, samples));
    if (failure) return failure;
  }
  record_.cases.push_back(std::move(samples));
  return std::optional<Failure>();
}

// After the round: complete outputs against the oracle, which names the arm. The candidate is asked first.
Result<std::optional<Failure>> DeviceBench::RoundRun::check_witnesses() {
  std::stable_sort(witnesses_.begin(), witnesses_.end(),
                   [](const Witness& a, const Witness& b) { return a.arm == ArmName::candidate && b.arm != ArmName::candidate; });
  for (const Witness& witness : witnesses_) {
    campaign::Correctness counts;
    HONE_TRY(auto failure, bench_.check_against_oracle(witness, counts));
    answer_.oracle_checks += counts.launches_checked_against_oracle;
    if (!failure) continue;
    if (failure->outcome == campaign::Outcome::incorrect_numerical) failure->message = "in a timed launch, " + failure->message;
    return failure;
  }
  return std::optional<Failure>();
}

Result<RoundAnswer> DeviceBench::RoundRun::run() {
  record_.stage = request_.stage;
  record_.index = request_.index;
  draw_checked_pairs();
  HONE_TRY(answer_.failure, load_arms());
  std::vector<const CaseContent*> cases = bench_.timed_;
  draws_.shuffle(cases);
  for (const CaseContent* content : cases) {
    if (answer_.failure) break;
    HONE_TRY(answer_.failure, run_case(*content));
  }
  arms_ = {};  // both processes end before the oracle is asked
  if (!answer_.failure) {
    HONE_TRY(answer_.failure, check_witnesses());
  }
  if (!answer_.failure) answer_.record = std::move(record_);
  return std::move(answer_);
}

// How long a launch of the incumbent takes decides, once per job, how many quads make a round and whether launches are grouped.
Result<std::optional<Failure>> DeviceBench::plan_timing(ArmName arm) {
  if (!timing_.empty()) return std::optional<Failure>();
  HONE_TRY(LoadAnswer loaded, load(arm, timed_, 2, layout_key("probe", 0, arm)));
  if (loaded.failure) return std::move(loaded.failure);
  for (const CaseContent* content : timed_) {
    std::vector<double> times;
    for (size_t i = 0; i < k_probe_launches; ++i) {
      const Digest key = secret_.sub_key({"probe", content->bound().id, "", 0, attempts_, i});
      HONE_TRY(LaunchResult launched, launch(loaded.loaded, {content, {key}, device::Distribution::contract, {}}));
      if (launched.failure) return std::move(launched.failure);
      if (i > 0) times.push_back(launched.nanoseconds);
    }
    TimingPlan plan;
    plan.incumbent_ns = std::max(stats::median(times), 1.0);
    if (task_.limits.threads == 1 && plan.incumbent_ns < k_shortest_unit_ns)
      plan.group = std::min(k_largest_group, static_cast<size_t>(std::ceil(k_shortest_unit_ns / plan.incumbent_ns)));
    plan.quads = stats::quads_per_round(rule_, plan.incumbent_ns * static_cast<double>(plan.group), rule_.cpu_round_ns);
    timing_[content] = plan;
  }
  return std::optional<Failure>();
}

Result<RoundAnswer> DeviceBench::round(const RoundRequest& request) {
  HONE_TRY(auto failure, plan_timing(ArmName::incumbent));
  if (failure) return RoundAnswer{std::nullopt, std::move(failure), 0, 0};
  return RoundRun(*this, request).run();
}

namespace {

// A measurement is spread over this many processes, so that one lucky layout is not the figure.
constexpr size_t k_measure_processes = 3;
constexpr size_t k_fewest_launches = 5;
constexpr size_t k_most_launches = 100;  // per process and case

}  // namespace

Result<MeasureAnswer> DeviceBench::measure(ArmName arm, Nanoseconds time_limit) {
  MeasureAnswer answer;
  const SystemClock clock;
  const Nanoseconds share = time_limit / static_cast<int64_t>(k_measure_processes * timed_.size());
  for (size_t process = 0; process < k_measure_processes; ++process) {
    HONE_TRY(LoadAnswer loaded, load(arm, timed_, 2, layout_key("measure", process, arm)));
    answer.failure = std::move(loaded.failure);
    for (const CaseContent* content : timed_) {
      const Nanoseconds until = clock.now() + share;
      for (size_t i = 0; !answer.failure && i <= k_most_launches; ++i) {
        if (i > k_fewest_launches && clock.now() >= until) break;
        const Digest key = secret_.sub_key({"measure", content->bound().id, "", process, attempts_, i});
        HONE_TRY(LaunchResult launched, launch(loaded.loaded, {content, {key}, device::Distribution::contract, {}}));
        answer.failure = std::move(launched.failure);
        if (!answer.failure && i > 0) answer.times[content->bound().id].push_back(launched.nanoseconds);
      }
    }
    if (answer.failure) break;
  }
  return answer;
}

}  // namespace hone::judge
