// Correctness trials of DeviceBench: which contents, what the oracle says of them, and who is to blame.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "judge/constants.h"
#include "judge/device_bench.h"
#include "judge/exact_sums.h"
#include "judge/hidden.h"

namespace hone::judge {

namespace {

using campaign::Outcome;
using device::Distribution;

}  // namespace

std::vector<const CaseContent*> DeviceBench::all_cases() const {
  std::vector<const CaseContent*> cases;
  for (const auto& content : contents_) cases.push_back(content.get());
  for (const auto& content : neighbours_) cases.push_back(content.get());
  return cases;
}

std::vector<const CaseContent*> DeviceBench::public_cases() const {
  std::vector<const CaseContent*> cases = all_cases();
  std::erase_if(cases, [](const CaseContent* one) { return one->bound().hidden; });
  return cases;
}

namespace {

// Deals the contract's own distribution and every stress: in secret order, and none again before all have come up.
class Deck {
 public:
  explicit Deck(Draws& draws) : draws_(draws) { shuffle(); }

  Distribution deal(const CaseContent& content) {
    if (!content.has_free_inputs()) return Distribution::contract;
    if (left_.empty()) shuffle();
    const Distribution top = left_.back();
    left_.pop_back();
    is_through_ = is_through_ || left_.empty();
    return top;
  }
  bool is_through() const { return is_through_; }

 private:
  void shuffle() {
    left_.assign(stress_distributions().begin(), stress_distributions().end());
    left_.push_back(Distribution::contract);
    draws_.shuffle(left_);
  }
  Draws& draws_;
  std::vector<Distribution> left_;
  bool is_through_ = false;
};

}  // namespace

// Timed cases first, since their magnitudes scale the pair check; every case twice in a row, the second time with other
// content in the same buffers, which whoever keeps an answer by shape or by pointer does not survive; then more until
// there are enough and every distribution has come up: a fast path for one of them must not hang on luck.
std::vector<DeviceBench::Trial> DeviceBench::schedule() const {
  Draws draws(secret_.sub_key({"schedule", "", "", 0, 0, 0}));
  std::vector<const CaseContent*> cases = all_cases();
  draws.shuffle(cases);
  std::stable_partition(cases.begin(), cases.end(), [&](const CaseContent* c) {
    return std::find(timed_.begin(), timed_.end(), c) != timed_.end();
  });
  const bool any_free = std::any_of(cases.begin(), cases.end(), [](const auto* c) { return c->has_free_inputs(); });
  Deck deck(draws);
  std::vector<Trial> trials;
  for (const CaseContent* content : cases) {
    trials.push_back({content, Distribution::contract, trials.size()});
    trials.push_back({content, deck.deal(*content), trials.size(), Buffers::same});
  }
  for (size_t i = 0; trials.size() < k_all_trials || (any_free && !deck.is_through()); ++i) {
    if (i % cases.size() == 0) draws.shuffle(cases);
    const CaseContent* content = cases[i % cases.size()];
    trials.push_back({content, deck.deal(*content), trials.size()});
  }
  return trials;
}

Result<TrialsAnswer> DeviceBench::verify(ArmName arm, uint64_t first, uint64_t count) {
  const std::vector<Trial> all = schedule();
  const uint64_t first_part = std::max<uint64_t>(k_first_trials, 2 * timed_.size());
  const uint64_t begin = first == 0 ? 0 : std::min<uint64_t>(std::max(first, first_part), all.size());
  const uint64_t end =
      first + count >= k_all_trials ? all.size() : std::min<uint64_t>(std::max(first + count, first_part), all.size());
  return run_trials(arm, {all.begin() + static_cast<ptrdiff_t>(begin), all.begin() + static_cast<ptrdiff_t>(end)});
}

// In one process, but for hidden cases: those have processes of their own, in which no public case can tell of them.
Result<TrialsAnswer> DeviceBench::run_trials(ArmName arm, const std::vector<Trial>& trials) {
  TrialsAnswer answer;
  std::vector<const CaseContent*> cases;
  for (const Trial& trial : trials) cases.push_back(trial.content);
  std::vector<const CaseContent*> public_ones = cases;
  std::erase_if(public_ones, [](const CaseContent* one) { return one->bound().hidden; });
  std::optional<LoadedArm> everybodys;
  std::optional<LoadedArm> hidden_ones;  // of one hidden case
  const CaseContent* hidden_case = nullptr;
  for (const Trial& trial : trials) {
    if (answer.failure) break;
    const bool hidden = trial.content->bound().hidden;
    if (hidden && hidden_case != trial.content) hidden_ones.reset();
    hidden_case = hidden ? trial.content : nullptr;
    std::optional<LoadedArm>& process = hidden ? hidden_ones : everybodys;
    if (!process) {
      const std::vector<const CaseContent*> own{trial.content};
      HONE_TRY(LoadAnswer loaded, load(arm, hidden ? own : public_ones, 2, {"trials", trial.number}));
      answer.failure = std::move(loaded.failure);
      if (answer.failure) break;
      process = std::move(loaded.loaded);
    }
    HONE_TRY(answer.failure, run_trial(*process, trial, answer.counts));
  }
  std::sort(cases.begin(), cases.end());
  answer.counts.cases = static_cast<uint64_t>(std::unique(cases.begin(), cases.end()) - cases.begin());
  return answer;
}

Result<std::optional<Failure>> DeviceBench::run_trial(LoadedArm& arm, const Trial& trial,
                                                      campaign::Correctness& counts) {
  const std::string distribution(name_of(trial.distribution));
  Witness witness{arm.name, trial.content, trial.distribution, {}, whole_outputs(*trial.content), {}};
  witness.sub_key = secret_.sub_key({"trial", trial.content->bound().id, distribution, trial.number, 0, 0});
  HONE_TRY(LaunchResult launched,
           launch(arm, {trial.content, {witness.sub_key}, trial.distribution, witness.ranges, trial.buffers}));
  ++counts.trials;
  if (launched.failure) {
    launched.failure->message += fmt::format(" (case '{}')", trial.content->bound().id);
    return std::move(launched.failure);
  }
  witness.bytes = std::move(launched.gathered.front());
  return check_against_oracle(witness, counts);
}

// Golden files hold one content; whatever else is launched is judged against v0, and the report says so.
TruthSource DeviceBench::truth_source(const CaseContent& content) const {
  if (task_.oracle.kind == task::OracleKind::baseline) return TruthSource::baseline;
  const bool beside_golden = task_.oracle.kind == task::OracleKind::golden && content.source() == ContentSource::fills;
  return beside_golden ? TruthSource::baseline : TruthSource::oracle;
}

namespace {

Truth truth_from_bytes(const task::Argument& argument, std::vector<std::byte> bytes) {
  Truth truth;
  if (!task::is_floating(argument.dtype)) {
    truth.exact = std::move(bytes);
    return truth;
  }
  truth.values.resize(bytes.size() / task::size_bytes(argument.dtype));
  device::widen(bytes, argument.dtype, truth.values);
  return truth;
}

}  // namespace

Result<OracleAnswer> DeviceBench::ask_oracle(const CaseContent& content, const Digest& sub_key,
                                             Distribution distribution) {
  const bool baseline_is_truth = truth_source(content) == TruthSource::baseline;
  if (baseline_is_truth) {
    HONE_TRY(const auto unbuilt, build_baseline());
    std::ignore = unbuilt;  // it fails on every content, and is asked again for each
  }
  const Nanoseconds begin = SystemClock().now();
  OracleAnswer answer;
  if (baseline_is_truth) {
    HONE_TRY(auto outputs, baseline_outputs(content, sub_key, distribution));
    if (!outputs) answer.fault = "the baseline fails on this content";
    const std::vector<size_t> written = written_parameters();
    for (size_t i = 0; outputs && i < written.size(); ++i)
      answer.truths.push_back(truth_from_bytes(task_.arguments[written[i]], std::move((*outputs)[i])));
  } else {
    HONE_TRY(answer, oracle_->truth(content, content.input_bytes(sub_key, distribution)));
  }
  // Building and starting a reference is no part of what it takes to ask it.
  if (answer.seconds <= 0) answer.seconds = to_seconds(SystemClock().now() - begin);
  slowest_oracle_seconds_ = std::max(slowest_oracle_seconds_, answer.seconds);
  report_.oracle_seconds += answer.seconds;
  report_.step_seconds["reference"] += answer.seconds;
  return answer;
}

// Who the candidate is held against: never the candidate itself, unless it is what the contract began with.
Result<task::Candidate> DeviceBench::baseline_candidate() const {
  if (job_.baseline) return to_candidate(*job_.baseline);
  const task::Candidate& candidate = arms_.at(ArmName::candidate).candidate;
  const auto own = task::read_candidate(task_, task_.folder);
  if (own && own->digest == candidate.digest) return candidate;
  return Error{ErrorCode::usage,
               "the candidate's errors cannot be judged: the job names no baseline",
               {},
               "without magnitudes of the reference an error is held against that of the contract's first version",
               "name the baseline in the job"};
}

Result<std::optional<Failure>> DeviceBench::build_baseline() {
  if (arms_.contains(ArmName::baseline)) return std::optional<Failure>();
  HONE_TRY(const task::Candidate v0, baseline_candidate());
  return build(ArmName::baseline, v0);
}

// v0 alone in a fresh process on the same content; nothing when v0 itself fails there.
Result<std::optional<std::vector<std::vector<std::byte>>>> DeviceBench::baseline_outputs(const CaseContent& content,
                                                                                         const Digest& sub_key,
                                                                                         Distribution distribution) {
  using Outputs = std::optional<std::vector<std::vector<std::byte>>>;
  HONE_TRY(const auto unbuilt, build_baseline());
  if (unbuilt) return Outputs();
  HONE_TRY(LoadAnswer loaded, load(ArmName::baseline, {&content}, 1, {"baseline", attempts_}));
  if (loaded.failure) return Outputs();
  HONE_TRY(LaunchResult launched, launch(loaded.loaded, {&content, {sub_key}, distribution, whole_outputs(content)}));
  if (launched.failure) return Outputs();
  return Outputs(std::move(launched.gathered.front()));
}

namespace {

Failure invalid_reference(const CaseContent& content, const std::string& message) {
  return veiled({Outcome::invalid_reference, ArmName::candidate, "reference",
                 fmt::format("{} (case '{}')", message, content.bound().id), "", std::nullopt},
                content.bound());
}

bool usable(const task::Task& task, const std::vector<size_t>& written, const OracleAnswer& answer) {
  for (size_t i = 0; i < written.size(); ++i) {
    const task::Argument& argument = task.arguments[written[i]];
    if (!is_usable(answer.truths[i], argument.dtype, argument.compare.nonfinite)) return false;
  }
  return true;
}

}  // namespace

Result<std::optional<Failure>> DeviceBench::check_against_oracle(const Witness& witness,
                                                                 campaign::Correctness& counts) {
  const bool contract = witness.distribution == Distribution::contract;
  HONE_TRY(const OracleAnswer answer, ask_oracle(*witness.content, witness.sub_key, witness.distribution));
  if (answer.fault) return std::optional(invalid_reference(*witness.content, *answer.fault));
  const Stopwatch comparing(report_.step_seconds["compare with the reference"]);
  if (!usable(task_, written_parameters(), answer)) {
    if (contract) return std::optional(invalid_reference(*witness.content, "the reference's output is not finite"));
    ++counts.skipped_stress_cases;
    return std::optional<Failure>();
  }
  if (contract) HONE_CHECK(remember_scale(witness, answer));
  campaign::Correctness seen;
  HONE_TRY(auto failure, compare_with_truth(witness, answer, seen));
  if (failure && !contract) {
    HONE_TRY(const bool rejects, may_reject(witness, answer));
    if (!rejects) {
      ++counts.skipped_stress_cases;  // and nothing that was seen there counts
      return std::optional<Failure>();
    }
  }
  campaign::add(counts, seen);
  if (!failure && witness.distribution == Distribution::small_integers) return probe_exact_sums(witness, answer);
  return failure;
}

namespace {

// Equal inputs make equal outputs of a right kernel: there it is enough that these are not zero.
bool is_telling(const Truth& truth, Distribution distribution) {
  if (is_sensitive(truth)) return true;
  const auto not_zero = [](auto value) { return value != decltype(value){}; };
  return distribution == Distribution::all_equal && (std::any_of(truth.values.begin(), truth.values.end(), not_zero) ||
                                                     std::any_of(truth.exact.begin(), truth.exact.end(), not_zero));
}

}  // namespace

// A stress content may reject only where the oracle is sensitive and v0 passes. Where v0 is the oracle it passes by
// definition: there it must pass on nearly the same content too, or a tolerance that was chosen for the contract's
// content would reject honest roundings wherever terms cancel.
Result<bool> DeviceBench::may_reject(const Witness& witness, const OracleAnswer& answer) {
  const auto telling = [&](const Truth& truth) { return is_telling(truth, witness.distribution); };
  if (std::none_of(answer.truths.begin(), answer.truths.end(), telling)) return false;
  const bool v0_is_truth = truth_source(*witness.content) == TruthSource::baseline;
  HONE_TRY(const auto v0, v0_is_truth ? nudged_witness(witness) : baseline_witness(witness));
  if (!v0) return false;
  campaign::Correctness ignored;
  HONE_TRY(const auto failure, compare_with_truth(*v0, answer, ignored));
  return !failure;
}

// v0 on inputs that are off by as much as the error model grants sums of K terms: 4·(√K + 4)·u_acc.
Result<std::optional<DeviceBench::Witness>> DeviceBench::nudged_witness(const Witness& witness) {
  double fraction = 0;
  for (const size_t i : written_parameters()) {
    const OutputRule rule = rule_for(task_, witness.content->bound().arguments[i], TruthSource::baseline);
    fraction = std::max(fraction, k_bound_factor * accumulation_error(rule));
  }
  const CaseContent nudged = witness.content->nudged(witness.sub_key, witness.distribution, fraction);
  HONE_TRY(auto outputs, baseline_outputs(nudged, witness.sub_key, Distribution::contract));
  return in_place_of(witness, std::move(outputs));
}

// The same content, worked on by v0; nothing when v0 itself fails there.
Result<std::optional<DeviceBench::Witness>> DeviceBench::baseline_witness(const Witness& witness) {
  HONE_TRY(auto outputs, baseline_outputs(*witness.content, witness.sub_key, witness.distribution));
  return in_place_of(witness, std::move(outputs));
}

// What v0 left, as if it were of the witness's launch.
std::optional<DeviceBench::Witness> DeviceBench::in_place_of(
    const Witness& witness, std::optional<std::vector<std::vector<std::byte>>> outputs) const {
  if (!outputs) return std::nullopt;
  return Witness{
      ArmName::baseline,  witness.content, witness.distribution, witness.sub_key, whole_outputs(*witness.content),
      std::move(*outputs)};
}

// An output that is within its bound and not exact where v0 is: something was left out or held too coarsely.
Result<std::optional<Failure>> DeviceBench::probe_exact_sums(const Witness& witness, const OracleAnswer& answer) {
  auto failure = inexact_sum(witness, answer);
  if (!failure) return failure;
  HONE_TRY(const auto v0, baseline_witness(witness));
  if (!v0 || inexact_sum(*v0, answer)) failure.reset();
  return failure;
}

namespace {

// The part of a whole truth that a range covers.
Truth slice(const Truth& whole, uint64_t first, uint64_t count, size_t element_bytes) {
  const auto cut = [&](const auto& from, uint64_t unit) {
    using Vector = std::decay_t<decltype(from)>;
    if (from.empty()) return Vector();
    const auto begin = from.begin() + static_cast<ptrdiff_t>(first * unit);
    return Vector(begin, begin + static_cast<ptrdiff_t>(count * unit));
  };
  return {cut(whole.values, 1), cut(whole.magnitudes, 1), cut(whole.exact, element_bytes)};
}

campaign::Mismatch mismatch_of(const CheckFailure& failure, const CaseContent& content, Distribution distribution,
                               const std::string& argument, uint64_t first) {
  return {content.bound().id,
          std::string(name_of(distribution)),
          argument,
          first + failure.index,
          failure.expected,
          failure.found,
          failure.error_over_bound};
}

campaign::Correctness counts_of(const CheckResult& result) {
  campaign::Correctness counts;
  counts.elements_compared = result.compared;
  counts.worst_error_over_bound = result.worst_error_over_bound;
  counts.worst_absolute_error = result.worst_absolute_error;
  counts.worst_relative_error = result.worst_relative_error;
  return counts;
}

// What one comparison needs besides the truth.
struct Piece {
  OutputRule rule;
  Truth truth;
  uint64_t first = 0;
};

Piece piece_of(const task::Task& task, const CaseContent& content, TruthSource source, const device::Range& range,
               const Truth& whole) {
  const task::BoundArgument& argument = content.bound().arguments[range.parameter];
  const size_t size = task::size_bytes(argument.argument->dtype);
  Piece piece{rule_for(task, argument, source), {}, range.offset_bytes / size};
  if (range.size_bytes == argument.bytes) {
    piece.truth = whole;
    return piece;
  }
  piece.rule = rule_for_part(std::move(piece.rule), range.size_bytes / size);
  piece.truth = slice(whole, piece.first, piece.rule.count, size);
  return piece;
}

Failure numerical(const Piece& piece, const CheckFailure& failure, const CaseContent& content,
                  Distribution distribution, ArmName arm) {
  campaign::Mismatch mismatch = mismatch_of(failure, content, distribution, piece.rule.argument, piece.first);
  const std::string message =
      fmt::format("output '{}' is wrong at element {} of case '{}': expected {}, found {} ({})", piece.rule.argument,
                  *mismatch.index, mismatch.case_id, failure.expected, failure.found, failure.reason);
  return veiled({Outcome::incorrect_numerical, arm, failure.reason, message, "", std::move(mismatch)}, content.bound());
}

}  // namespace

// Of whole outputs, in the order of the written parameters.
std::optional<Failure> DeviceBench::inexact_sum(const Witness& witness, const OracleAnswer& answer) const {
  const TruthSource source = truth_source(*witness.content);
  for (size_t i = 0; i < witness.ranges.size(); ++i) {
    const Piece piece = piece_of(task_, *witness.content, source, witness.ranges[i], answer.truths[i]);
    if (const auto found = find_inexact(piece.rule, witness.bytes[i], piece.truth))
      return numerical(piece, *found, *witness.content, witness.distribution, witness.arm);
  }
  return std::nullopt;
}

Result<std::optional<Failure>> DeviceBench::compare_with_truth(const Witness& witness, const OracleAnswer& answer,
                                                               campaign::Correctness& counts) {
  const std::vector<size_t> written = written_parameters();
  ++counts.launches_checked_against_oracle;
  std::optional<std::vector<std::vector<std::byte>>> v0;
  for (size_t i = 0; i < witness.ranges.size(); ++i) {
    const device::Range& range = witness.ranges[i];
    const size_t output =
        static_cast<size_t>(std::find(written.begin(), written.end(), range.parameter) - written.begin());
    const Piece piece = piece_of(task_, *witness.content, truth_source(*witness.content), range, answer.truths[output]);
    const bool needs_v0 =
        task::is_floating(piece.rule.dtype) && piece.truth.magnitudes.empty() && !piece.rule.baseline_is_truth;
    if (needs_v0 && !v0) {
      HONE_TRY(v0, baseline_outputs(*witness.content, witness.sub_key, witness.distribution));
    }
    std::optional<std::span<const std::byte>> baseline;
    if (needs_v0 && v0)
      baseline = std::span<const std::byte>((*v0)[output]).subspan(range.offset_bytes, range.size_bytes);
    const CheckResult result = check_output(piece.rule, witness.bytes[i], piece.truth, baseline);
    campaign::add(counts, veiled(counts_of(result), witness.content->bound()));
    if (!result.passed())
      return std::optional(numerical(piece, *result.failure, *witness.content, witness.distribution, witness.arm));
  }
  return std::optional<Failure>();
}

namespace {

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) {
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  }
  return most;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (std::isfinite(a[i] - b[i])) most = std::max(most, std::abs(a[i] - b[i]));
  }
  return most;
}

}  // namespace

Status DeviceBench::remember_scale(const Witness& witness, const OracleAnswer& answer) {
  const std::vector<size_t> written = written_parameters();
  for (size_t i = 0; i < written.size(); ++i) {
    const Truth& truth = answer.truths[i];
    PairScale& scale = scales_[{witness.content, written[i]}];
    scale.largest_truth = std::max(scale.largest_truth, largest(truth.values));
    scale.largest_magnitude = std::max(scale.largest_magnitude, largest(truth.magnitudes));
    const bool relative_to_v0 =
        !truth.values.empty() && truth.magnitudes.empty() && truth_source(*witness.content) == TruthSource::oracle;
    if (!relative_to_v0) continue;
    HONE_TRY(const auto outputs, baseline_outputs(*witness.content, witness.sub_key, witness.distribution));
    if (!outputs) continue;
    const Truth v0 = truth_from_bytes(task_.arguments[written[i]], (*outputs)[i]);
    scale.largest_v0_error = std::max(scale.largest_v0_error.value_or(0), largest_difference(v0.values, truth.values));
  }
  return ok();
}

Result<TrialsAnswer> DeviceBench::scrutinise(ArmName arm) {
  std::vector<std::vector<Trial>> processes;
  uint64_t number = 1'000'000;  // apart from the schedule's numbers: other contents
  for (uint64_t i = 0; i < k_scrutiny_processes; ++i)
    processes.push_back({{timed_[i % timed_.size()], Distribution::contract, number++}});
  for (const CaseContent* content : all_cases()) {
    if (!content->has_free_inputs()) continue;
    std::vector<Trial>& one = processes.emplace_back();
    for (const Distribution distribution : stress_distributions()) one.push_back({content, distribution, number++});
  }
  TrialsAnswer total;
  for (const std::vector<Trial>& trials : processes) {
    HONE_TRY(TrialsAnswer answer, run_trials(arm, trials));
    campaign::add(total.counts, answer.counts);
    total.failure = std::move(answer.failure);
    if (total.failure) break;
  }
  return total;
}

}  // namespace hone::judge
