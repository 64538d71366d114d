// Rounds of DeviceBench: randomised quads with every launch checked (JUDGE.md 2 and 3).
#include "stats/rounds.h"

#include <algorithm>
#include <array>
#include <utility>

#include "judge/complete_checks.h"
#include "judge/constants.h"
#include "judge/device_bench.h"

namespace hone::judge {

namespace {}  // namespace

// What becomes of quads during which somebody else had the core.
enum class Disturbed { discarded, kept };

// One attempt at a round: two fresh arms, cases shuffled, quads ordered by a fair coin.
class DeviceBench::RoundRun {
 public:
  RoundRun(DeviceBench& bench, const RoundRequest& request, Disturbed disturbed)
      : bench_(bench),
        request_(request),
        disturbed_(disturbed),
        attempt_(bench.attempts_),
        draws_(bench.secret_.sub_key({"round", "", request.stage, request.index, attempt_, 0})) {}

  // Neither record nor failure: too many quads were lost, and the round is to be taken anew.
  Result<RoundAnswer> run();

 private:
  using ArmPair = std::array<LoadedArm, 2>;  // by ArmName
  struct PairPlan {
    const CaseContent* content = nullptr;
    std::vector<Digest> keys;
    std::vector<device::Range> ranges;
    bool checked = false;
  };
  // Four launches in order, and how much of their windows others had.
  struct QuadTimes {
    std::vector<double> times_ns;
    double disturbed_ns = 0;
    double window_ns = 0;
    bool is_disturbed() const { return disturbed_ns > k_disturbed_fraction * window_ns; }
  };

  Result<std::optional<Failure>> load_arms();
  Result<LaunchResult> launch(ArmName name, const LaunchRequest& request);
  Result<std::optional<Failure>> warm_up(const CaseContent& content);
  Result<std::optional<Failure>> prepare(const LaunchRequest& request);
  Digest content_key(std::string_view purpose, const CaseContent& content, uint64_t launch) const;
  Result<std::optional<Failure>> run_case(const CaseContent& content);
  Result<std::optional<Failure>> run_quad(const CaseContent& content, CaseSamples& samples);
  Result<std::optional<Failure>> run_pair(const PairPlan& plan, std::array<ArmName, 2> order, QuadTimes& quad);
  Result<std::optional<Failure>> run_spot(size_t group);
  double spot_probability() const;
  PairPlan plan_pair(const CaseContent& content);
  void draw_checked_pairs();
  size_t planned_quads() const;
  void keep_or_discard(QuadTimes quad, stats::Order order, CaseSamples& samples);
  bool is_hopeless() const;
  bool agrees(const PairPlan& plan, const LaunchResult& a, const LaunchResult& b) const;
  void keep_witnesses(const PairPlan& plan, const LaunchResult& launched, ArmName arm);
  int sets_needed() const;
  TimingPlan timing_of(const CaseContent& content) const { return bench_.timing_of(content, request_.stage); }

  DeviceBench& bench_;
  const RoundRequest& request_;
  Disturbed disturbed_;
  uint64_t attempt_;
  Draws draws_;
  ArmPair arms_;
  std::optional<ArmName> last_;  // that was launched
  uint64_t pairs_ = 0;           // so far in this round
  size_t lost_quads_ = 0;
  std::optional<Spots> spots_;
  uint64_t spots_run_ = 0;
  bool case_is_empty_ = false;
  std::vector<uint64_t> checked_pairs_;
  std::vector<Witness> witnesses_;
  RoundAnswer answer_;
  RoundRecord record_;
};

int DeviceBench::RoundRun::sets_needed() const {
  size_t most = static_cast<size_t>(bench_.sets_in_turn());
  for (const CaseContent* content : bench_.timed_) most = std::max(most, timing_of(*content).group);
  return static_cast<int>(most);
}

Result<std::optional<Failure>> DeviceBench::RoundRun::load_arms() {
  std::array<ArmName, 2> order{ArmName::incumbent, ArmName::candidate};
  if (draws_.coin()) std::swap(order[0], order[1]);
  for (const ArmName name : order) {
    HONE_TRY(LoadAnswer loaded, bench_.load(name, bench_.timed_, sets_needed(), {request_.stage, request_.index}));
    if (loaded.failure) return std::move(loaded.failure);
    arms_[static_cast<size_t>(name)] = std::move(loaded.loaded);
  }
  return std::optional<Failure>();
}

// Where each arm has a process of its own, a device changes from one to the other before every launch. Else the second
// in a row of one arm would find more of its own on the device than any other launch.
Result<LaunchResult> DeviceBench::RoundRun::launch(ArmName name, const LaunchRequest& request) {
  const ArmName other = name == ArmName::incumbent ? ArmName::candidate : ArmName::incumbent;
  if (std::exchange(last_, name) == name && bench_.are_apart(request_.stage)) {
    const Stopwatch held(bench_.report_.device_seconds);
    const Stopwatch launching(bench_.report_.step_seconds["launch"]);
    HONE_CHECK(arms_[static_cast<size_t>(other)].arm->step_in());
  }
  return bench_.launch(arms_[static_cast<size_t>(name)], request);
}

// Both arms, before either is handed the content.
Result<std::optional<Failure>> DeviceBench::RoundRun::prepare(const LaunchRequest& request) {
  for (const ArmName name : {ArmName::incumbent, ArmName::candidate}) {
    HONE_TRY(auto failure, bench_.prepare(arms_[static_cast<size_t>(name)], request));
    if (failure) return failure;
  }
  return std::optional<Failure>();
}

// A case is one block in all of a round.
Digest DeviceBench::RoundRun::content_key(std::string_view purpose, const CaseContent& content, uint64_t launch) const {
  const std::string& id = content.bound().id;
  return bench_.in_block(bench_.secret_.sub_key({purpose, id, request_.stage, request_.index, attempt_, launch}),
                         {"block", id, request_.stage, request_.index, attempt_, 0});
}

size_t DeviceBench::RoundRun::planned_quads() const {
  size_t all = 0;
  for (const CaseContent* content : bench_.timed_) all += timing_of(*content).quads;
  return all;
}

void DeviceBench::RoundRun::draw_checked_pairs() {
  checked_pairs_ = complete_checks(bench_.secret_, {request_.stage, request_.index, attempt_, 2 * planned_quads()},
                                   bench_.oracle_speed());
}

double DeviceBench::RoundRun::spot_probability() const {
  return k_spots_per_round / (k_spots_per_round + static_cast<double>(planned_quads()));
}

// The candidate's answer is what is of interest: the incumbent works on the same content to be left in the same state.
Result<std::optional<Failure>> DeviceBench::RoundRun::run_spot(size_t group) {
  const Spot spot = spots_->next();
  std::array<ArmName, 2> order{ArmName::incumbent, ArmName::candidate};
  if (draws_.coin()) std::swap(order[0], order[1]);
  LaunchRequest request{spot.content, {}, spot.distribution, bench_.whole_outputs(*spot.content)};
  const uint64_t number = spots_run_++;
  for (size_t member = 0; member < group; ++member)
    request.sub_keys.push_back(content_key("spot-content", *spot.content, number * k_largest_group + member));
  const size_t checked = draws_.below(group);
  Witness witness{ArmName::candidate, spot.content, spot.distribution, request.sub_keys[checked], request.ranges, {}};
  HONE_TRY(auto unprepared, prepare(request));
  if (unprepared) return unprepared;
  for (const ArmName name : order) {
    HONE_TRY(LaunchResult launched, launch(name, request));
    if (launched.failure) return std::move(launched.failure);
    if (name == ArmName::candidate) witness.bytes = std::move(launched.gathered[checked]);
  }
  // With a slow reference only the rounds that were drawn are checked.
  if (checked_pairs_.empty()) return std::optional<Failure>();
  record_.sub_keys.push_back(witness.sub_key.hex());
  witnesses_.push_back(std::move(witness));
  return std::optional<Failure>();
}

// Small outputs whole; of large ones secret tiles at element boundaries, 64 KiB in all.
std::vector<device::Range> DeviceBench::tiles(const CaseContent& content, Draws& draws) const {
  std::vector<device::Range> ranges;
  for (const device::Range& whole : whole_outputs(content)) {
    if (whole.size_bytes <= k_tile_bytes) {
      ranges.push_back(whole);
      continue;
    }
    constexpr uint64_t tile = k_tile_bytes / k_tiles;
    constexpr uint64_t k_grain_bytes = 64;  // a multiple of every element size
    for (uint64_t i = 0; i < k_tiles; ++i) {
      const uint64_t places = (whole.size_bytes - tile) / k_grain_bytes + 1;
      ranges.push_back({whole.parameter, k_grain_bytes * draws.below(places), tile});
    }
  }
  return ranges;
}

DeviceBench::RoundRun::PairPlan DeviceBench::RoundRun::plan_pair(const CaseContent& content) {
  PairPlan plan;
  plan.content = &content;
  const uint64_t pair = pairs_++;
  for (size_t member = 0; member < timing_of(content).group; ++member)
    plan.keys.push_back(content_key("content", content, pair * k_largest_group + member));
  plan.checked = std::find(checked_pairs_.begin(), checked_pairs_.end(), pair) != checked_pairs_.end();
  plan.ranges = plan.checked ? bench_.whole_outputs(content) : bench_.tiles(content, draws_);
  return plan;
}

bool DeviceBench::agree(const CaseContent& content, const std::vector<device::Range>& ranges,
                        const std::vector<std::vector<std::byte>>& a,
                        const std::vector<std::vector<std::byte>>& b) const {
  for (size_t i = 0; i < ranges.size(); ++i) {
    const size_t parameter = ranges[i].parameter;
    const auto scale = scales_.find({&content, parameter});
    if (scale == scales_.end()) return false;
    const OutputRule rule = rule_for(task_, content.bound().arguments[parameter], truth_source(content));
    if (!pair_agrees(rule, a[i], b[i], scale->second)) return false;
  }
  return true;
}

bool DeviceBench::RoundRun::agrees(const PairPlan& plan, const LaunchResult& a, const LaunchResult& b) const {
  const Stopwatch comparing(bench_.report_.step_seconds["compare pairs"]);
  for (size_t member = 0; member < plan.keys.size(); ++member) {
    if (!bench_.agree(*plan.content, plan.ranges, a.gathered[member], b.gathered[member])) return false;
  }
  return true;
}

void DeviceBench::RoundRun::keep_witnesses(const PairPlan& plan, const LaunchResult& launched, ArmName arm) {
  for (size_t member = 0; member < plan.keys.size(); ++member)
    witnesses_.push_back(
        {arm, plan.content, device::Distribution::contract, plan.keys[member], plan.ranges, launched.gathered[member]});
}

Result<std::optional<Failure>> DeviceBench::RoundRun::run_pair(const PairPlan& plan, std::array<ArmName, 2> order,
                                                               QuadTimes& quad) {
  std::array<LaunchResult, 2> launched;
  const LaunchRequest request{plan.content, plan.keys, device::Distribution::contract, plan.ranges};
  HONE_TRY(auto unprepared, prepare(request));
  if (unprepared) return unprepared;
  for (size_t i = 0; i < 2; ++i) {
    HONE_TRY(launched[i], launch(order[i], request));
    if (launched[i].failure) return std::move(launched[i].failure);
    quad.times_ns.push_back(launched[i].nanoseconds);
    const double window_ns = launched[i].nanoseconds * static_cast<double>(plan.keys.size());
    quad.window_ns += window_ns;
    quad.disturbed_ns += launched[i].disturbed_fraction.value_or(0) * window_ns;
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
  QuadTimes quad;
  HONE_TRY(auto first, run_pair(plan_pair(content), {a, b}, quad));
  if (first) return first;
  HONE_TRY(auto second, run_pair(plan_pair(content), {b, a}, quad));
  if (second) return second;
  keep_or_discard(std::move(quad), candidate_first ? stats::Order::candidate_first : stats::Order::incumbent_first,
                  samples);
  return std::optional<Failure>();
}

// By conditions alone, never by times, and counted by who led.
void DeviceBench::RoundRun::keep_or_discard(QuadTimes quad, stats::Order order, CaseSamples& samples) {
  const bool candidate_first = order == stats::Order::candidate_first;
  if (disturbed_ == Disturbed::discarded && quad.is_disturbed()) {
    ++(candidate_first ? samples.discarded_candidate_first : samples.discarded_incumbent_first);
    ++lost_quads_;
    return;
  }
  samples.orders.emplace_back(candidate_first ? "BAAB" : "ABBA");
  samples.times_ns.push_back(std::move(quad.times_ns));
}

// So many quads are lost that the round cannot count any more.
bool DeviceBench::RoundRun::is_hopeless() const {
  return case_is_empty_ || !stats::has_enough_quads(bench_.rule_, planned_quads() - lost_quads_, planned_quads());
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
      plan.keys[member] = content_key("warm-up", content, i * k_largest_group + member);
    QuadTimes ignored;
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
  const size_t quads = timing_of(content).quads;
  for (size_t quad = 0; quad < quads && !is_hopeless(); ++quad) {
    while (spots_->comes()) {
      HONE_TRY(auto wrong, run_spot(timing_of(content).group));
      if (wrong) return wrong;
    }
    HONE_TRY(auto failure, run_quad(content, samples));
    if (failure) return failure;
  }
  case_is_empty_ = case_is_empty_ || samples.times_ns.empty();
  record_.cases.push_back(std::move(samples));
  return std::optional<Failure>();
}

// After the round: complete outputs against the oracle, which names the arm. The candidate is asked first.
Result<std::optional<Failure>> DeviceBench::check_witnesses(std::vector<Witness>& witnesses, uint64_t& oracle_checks) {
  std::stable_sort(witnesses.begin(), witnesses.end(), [](const Witness& a, const Witness& b) {
    return a.arm == ArmName::candidate && b.arm != ArmName::candidate;
  });
  for (const Witness& witness : witnesses) {
    campaign::Correctness counts;
    HONE_TRY(auto failure, check_against_oracle(witness, counts));
    oracle_checks += counts.launches_checked_against_oracle;
    if (!failure) continue;
    if (failure->outcome == campaign::Outcome::incorrect_numerical)
      failure->message = (witness.distribution == device::Distribution::contract ? "in a timed launch, "
                                                                                 : "between timed launches, ") +
                         failure->message;
    return failure;
  }
  return std::optional<Failure>();
}

Result<RoundAnswer> DeviceBench::RoundRun::run() {
  record_.stage = request_.stage;
  record_.index = request_.index;
  draw_checked_pairs();
  spots_ = bench_.spots({"spots", "", request_.stage, request_.index, attempt_, 0}, spot_probability(), sets_needed());
  HONE_TRY(answer_.failure, load_arms());
  std::vector<const CaseContent*> cases = bench_.timed_;
  draws_.shuffle(cases);
  for (const CaseContent* content : cases) {
    if (answer_.failure || is_hopeless()) break;
    HONE_TRY(answer_.failure, run_case(*content));
  }
  arms_ = {};  // both processes end before the oracle is asked
  if (!answer_.failure) {
    HONE_TRY(answer_.failure, bench_.check_witnesses(witnesses_, answer_.oracle_checks));
  }
  if (!answer_.failure && !is_hopeless()) answer_.record = std::move(record_);
  return std::move(answer_);
}

Result<RoundAnswer> DeviceBench::round(const RoundRequest& request) {
  HONE_TRY(auto failure, probe_timing(ArmName::incumbent));
  RoundAnswer total;
  total.failure = std::move(failure);
  for (uint64_t attempt = 1; !total.failure && !total.record && attempt <= k_round_attempts; ++attempt) {
    const bool last = attempt == k_round_attempts;
    HONE_TRY(RoundAnswer answer, RoundRun(*this, request, last ? Disturbed::kept : Disturbed::discarded).run());
    total.pair_checks += answer.pair_checks;
    total.oracle_checks += answer.oracle_checks;
    total.failure = std::move(answer.failure);
    total.record = std::move(answer.record);
    if (last) ++rounds_in_bad_conditions_;
  }
  return total;
}

}  // namespace hone::judge
