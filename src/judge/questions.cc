#include "judge/questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

#include "base/text.h"
#include "device/device.h"
#include "judge/hidden.h"
#include "stats/decision.h"
#include "stats/estimate.h"
#include "stats/guards.h"
#include "stats/simulate.h"

namespace hone::judge {

namespace {

using campaign::Outcome;
using campaign::Verdict;

// State of one job: the verdict being written, and what may end it early.
class Question {
 public:
  Question(const task::Task& task, const JudgingJob& job, Bench& bench, const Observer& observer)
      : task_(task), job_(job), bench_(bench), observer_(observer), candidate_(to_candidate(job.candidate)) {
    verdict_.question = job.question;
    verdict_.task_digest = task.digest.hex();
    verdict_.candidate = candidate_.digest.hex();
    verdict_.judge_version = k_judge_version;
  }

  Result<Verdict> answer();

 private:
  Result<Verdict> verify();
  Result<Verdict> measure();
  Result<Verdict> screen();
  Status build_next(std::span<const task::Candidate> screened, size_t index);
  Result<bool> screen_one(const task::Candidate& candidate);
  Result<Verdict> compare();
  Result<Verdict> estimate();
  Result<Verdict> admit();

  // true = go on; false = the verdict is written.
  Result<bool> prepare_pair();
  Status build_ahead(std::span<const task::Candidate> candidates);
  Result<bool> build(ArmName arm, const task::Candidate& candidate);
  Result<bool> build_alone();
  Result<bool> trials(ArmName arm, uint64_t first, uint64_t count);
  Result<bool> scrutinise();
  Result<bool> one_round(const std::string& stage);
  Result<bool> take_rounds(const std::string& stage, uint64_t count);
  Result<bool> confirm_begins(bool needs_scrutiny);
  Result<bool> decide_until_done();
  Result<bool> repeat_a_surprise(const stats::Step& step);
  Result<bool> check_floor();
  Status check_windows();
  Status check_sanitizer();
  void hold_against_windows(const std::vector<double>& gains);
  Result<Verdict> finish_decided();
  stats::Question statistical_question() const;

  void add_counts(const campaign::Correctness& counts);
  void fail(const Failure& failure);
  // The same, but what may be chance in an incumbent's failure is tried once more.
  Status settle(const Failure& failure);
  Status judge_incumbent_again(const Failure& failure);
  void note_complete_checks();
  void withdraw_figures();
  void write_decision(const stats::Step& step);
  void write_evidence(const stats::Evidence& evidence);
  void write_times();
  std::vector<campaign::CaseTimes> times_of(ArmName arm) const;
  std::vector<stats::Round> rounds_of(const std::string& stage) const;
  stats::Step step() const;
  Status check_cancelled() const;
  Verdict finish();

  const task::Task& task_;
  const JudgingJob& job_;
  Bench& bench_;
  const Observer& observer_;
  task::Candidate candidate_;
  stats::Rule rule_;
  std::vector<RoundRecord> rounds_;
  std::vector<CaseFloor> floors_;
  bool scrutinised_ = false;
  std::map<std::string, uint64_t> complete_checks_;  // launches, by stage
  Verdict verdict_;
};

void Question::add_counts(const campaign::Correctness& counts) {
  campaign::add(verdict_.correctness ? *verdict_.correctness : verdict_.correctness.emplace(), counts);
}

void Question::fail(const Failure& failure) {
  const bool incumbent = failure.arm != ArmName::candidate && !campaign::is_task_fault(failure.outcome);
  verdict_.outcome = incumbent ? Outcome::incumbent_wrong : failure.outcome;
  verdict_.reason = incumbent ? std::string(name_of(failure.outcome)) : failure.reason;
  verdict_.message = failure.message;
  verdict_.details = failure.details;
  if (failure.mismatch) {
    if (!verdict_.correctness) verdict_.correctness.emplace();
    verdict_.correctness->first_mismatch = failure.mismatch;
  }
}

// What can come of a busy or broken machine as well as of the code.
bool may_be_chance(Outcome outcome) {
  return outcome == Outcome::runtime_error || outcome == Outcome::launch_error || outcome == Outcome::timeout ||
         outcome == Outcome::out_of_memory;
}

Status Question::settle(const Failure& failure) {
  fail(failure);
  const bool again = verdict_.outcome == Outcome::incumbent_wrong && may_be_chance(failure.outcome);
  return again ? judge_incumbent_again(failure) : ok();
}

// An incumbent is demoted only by a failure that comes back when it runs alone.
Status Question::judge_incumbent_again(const Failure& failure) {
  observer_.progress({"verify", 0, k_first_trials, "incumbent, again"});
  HONE_TRY(const TrialsAnswer again, bench_.verify(failure.arm, 0, k_first_trials));
  if (again.failure) {
    fail(*again.failure);
    return ok();
  }
  verdict_.outcome = Outcome::inconclusive;
  verdict_.reason = "incumbent failed once";
  verdict_.message =
      fmt::format("the incumbent failed once ({}) and passed when it was tried again alone", name_of(failure.outcome));
  return ok();
}

Status Question::check_cancelled() const {
  if (!observer_.cancelled()) return ok();
  return Error{ErrorCode::interrupted, "the judging job was interrupted"};
}

// Everything that builds does so before anything is measured.
Status Question::build_ahead(std::span<const task::Candidate> candidates) {
  HONE_CHECK(check_cancelled());
  observer_.progress({"build", 0, 0, ""});
  bench_.build_ahead(candidates, observer_.cancelled);
  return ok();
}

Result<bool> Question::build_alone() {
  HONE_CHECK(build_ahead({&candidate_, 1}));
  return build(ArmName::candidate, candidate_);
}

Result<bool> Question::build(ArmName arm, const task::Candidate& candidate) {
  HONE_CHECK(check_cancelled());
  observer_.progress({"build", 0, 0, ""});
  HONE_TRY(const auto failure, bench_.build(arm, candidate));
  if (failure) fail(*failure);
  return !failure;
}

Result<bool> Question::trials(ArmName arm, uint64_t first, uint64_t count) {
  HONE_CHECK(check_cancelled());
  observer_.progress({"verify", first, first + count, std::string(name_of(arm))});
  HONE_TRY(const TrialsAnswer answer, bench_.verify(arm, first, count));
  if (arm == ArmName::candidate) add_counts(answer.counts);
  if (answer.failure) HONE_CHECK(settle(*answer.failure));
  return !answer.failure;
}

Result<bool> Question::scrutinise() {
  scrutinised_ = true;
  observer_.progress({"scrutiny", 0, 0, ""});
  HONE_TRY(const TrialsAnswer answer, bench_.scrutinise(ArmName::candidate));
  add_counts(answer.counts);
  verdict_.notes.push_back(fmt::format("scrutiny: {} single-launch checks in fresh processes", answer.counts.trials));
  if (answer.failure) fail(*answer.failure);
  return !answer.failure;
}

Result<Verdict> Question::verify() {
  HONE_TRY(const bool built, build_alone());
  if (!built) return finish();
  HONE_TRY(const bool passed, trials(ArmName::candidate, 0, std::max(job_.trials, k_first_trials)));
  if (passed) verdict_.outcome = Outcome::correct;
  return finish();
}

Result<Verdict> Question::measure() {
  HONE_TRY(const bool built, build_alone());
  if (!built) return finish();
  HONE_TRY(const bool passed, trials(ArmName::candidate, 0, k_first_trials));
  if (!passed) return finish();
  observer_.progress({"measure", 0, 0, ""});
  const double limit_s = job_.time_limit_s > 0 ? job_.time_limit_s : k_measure_seconds;
  HONE_TRY(MeasureAnswer measured, bench_.measure(ArmName::candidate, from_seconds(limit_s)));
  campaign::Correctness counts;
  counts.launches_checked_against_oracle = measured.oracle_checks;
  add_counts(counts);
  if (measured.failure) {
    fail(*measured.failure);
    return finish();
  }
  HONE_TRY(floors_, bench_.floors(false));
  for (const CaseFloor& floor : floors_)
    verdict_.candidate_times.push_back(case_times(floor.case_id, floor.weight, measured.times[floor.case_id]));
  verdict_.outcome = Outcome::measured;
  return finish();
}

Result<Verdict> Question::screen() {
  std::vector<task::Candidate> all{to_candidate(*job_.incumbent)};
  for (const CandidateText& text : job_.screened) all.push_back(to_candidate(text));
  const bool is_limited = job_.time_limit_s > 0;
  HONE_CHECK(build_ahead(std::span(all).first(is_limited ? 1 : all.size())));
  HONE_TRY(const bool built, build(ArmName::incumbent, all.front()));
  if (!built) return finish();
  verdict_.incumbent = all.front().digest.hex();
  const std::span<const task::Candidate> screened = std::span(all).subspan(1);
  const Nanoseconds until = SystemClock().now() + from_seconds(job_.time_limit_s);
  for (size_t i = 0; i < screened.size(); ++i) {
    HONE_CHECK(check_cancelled());
    if (is_limited && SystemClock().now() >= until) break;
    if (is_limited) HONE_CHECK(build_next(screened, i));
    HONE_TRY(const bool learned, screen_one(screened[i]));
    if (!learned) return finish();
  }
  verdict_.outcome = Outcome::screened;
  return finish();
}

// Where time is limited no more is built than the workers do at once: the rest may never be asked for.
Status Question::build_next(std::span<const task::Candidate> screened, size_t index) {
  const size_t workers = std::max<size_t>(bench_.build_workers(), 1);
  if (index % workers != 0) return ok();
  return build_ahead(screened.subspan(index, std::min(workers, screened.size() - index)));
}

Result<bool> Question::screen_one(const task::Candidate& candidate) {
  observer_.progress({"screen", verdict_.screened.size(), job_.screened.size(), ""});
  HONE_TRY(ScreenAnswer answer, bench_.screen(candidate, from_seconds(k_screen_seconds)));
  if (answer.failure) {
    HONE_CHECK(settle(*answer.failure));
    return false;
  }
  verdict_.screened.push_back(std::move(answer.result));
  return true;
}

Result<Verdict> Question::admit() {
  HONE_TRY(const bool built, build_alone());
  if (!built) return finish();
  HONE_TRY(const bool passed, trials(ArmName::candidate, 0, k_all_trials));
  if (!passed) return finish();
  observer_.progress({"impostors", 0, 0, ""});
  HONE_TRY(const AdmissionAnswer answer, bench_.admit());
  verdict_.notes.push_back(fmt::format("{} impostors rejected in {} cases", answer.impostors_rejected, answer.cases));
  if (answer.slowest_oracle_seconds > k_slow_oracle_seconds)
    verdict_.notes.push_back(
        fmt::format("one reference call takes {:.2f} s: complete checks of timed launches will be rare",
                    answer.slowest_oracle_seconds));
  if (answer.failure) {
    fail(*answer.failure);
  } else if (answer.slowest_oracle_seconds > task_.limits.case_seconds) {
    fail({Outcome::contract_error, ArmName::candidate, "slow reference",
          fmt::format("one reference call takes {:.2f} s, and [limits] case_seconds is {:.2f} s",
                      answer.slowest_oracle_seconds, task_.limits.case_seconds),
          "", std::nullopt});
  } else {
    verdict_.outcome = Outcome::correct;
  }
  return finish();
}

std::vector<stats::Round> Question::rounds_of(const std::string& stage) const {
  const std::vector<std::string> ids = timed_case_ids(task_);
  std::vector<stats::Round> rounds;
  for (const RoundRecord& record : rounds_) {
    if (record.stage == stage) rounds.push_back(to_round(record, ids));
  }
  return rounds;
}

// What runs as host code is timed with the hand-over to its process.
stats::Question Question::statistical_question() const {
  const bool host_code = bench_.report().trust == name_of(device::Trust::host_code);
  return {job_.k, job_.portfolio, weighting_of(task_), host_code ? rule_.host_hand_over_ns : 0.0};
}

stats::Step Question::step() const {
  return stats::decide(rule_, statistical_question(), rounds_of("stage1"), rounds_of("confirmation"));
}

Result<bool> Question::one_round(const std::string& stage) {
  HONE_CHECK(check_cancelled());
  const auto index = static_cast<uint64_t>(
      std::count_if(rounds_.begin(), rounds_.end(), [&](const RoundRecord& r) { return r.stage == stage; }));
  HONE_TRY(RoundAnswer answer, bench_.round({stage, index}));
  campaign::Correctness counts;
  counts.launches_checked_against_pair = answer.pair_checks;
  counts.launches_checked_against_oracle = answer.oracle_checks;
  add_counts(counts);
  complete_checks_[stage] += answer.oracle_checks;
  if (answer.failure) {
    HONE_CHECK(settle(*answer.failure));
    return false;
  }
  RoundRecord& record = *answer.record;
  const auto summary = stats::summarise(rule_, weighting_of(task_), to_round(record, timed_case_ids(task_)));
  record.gain = summary ? -summary->d : 0.0;
  for (const std::string& key : record.sub_keys) verdict_.sub_keys.push_back(key);
  HONE_CHECK(observer_.round(record));
  rounds_.push_back(std::move(record));
  return true;
}

Result<bool> Question::take_rounds(const std::string& stage, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    observer_.progress({stage == "stage1" ? "stage 1" : stage, i, count, ""});
    HONE_TRY(const bool sound, one_round(stage));
    if (!sound) return false;
  }
  return true;
}

// Between the stages: the rest of the verification, and scrutiny of a gain that is large.
Result<bool> Question::confirm_begins(bool needs_scrutiny) {
  HONE_TRY(const bool passed, trials(ArmName::candidate, k_first_trials, k_all_trials - k_first_trials));
  if (!passed) return false;
  if (!needs_scrutiny || scrutinised_) return true;
  return scrutinise();
}

Result<bool> Question::decide_until_done() {
  while (true) {
    const stats::Step next = step();
    if (next.action == stats::Action::done) {
      write_decision(next);
      return repeat_a_surprise(next);
    }
    if (next.action == stats::Action::verify_and_confirm) {
      HONE_TRY(const bool going, confirm_begins(next.needs_scrutiny));
      if (!going) return false;
    }
    const bool first_stage = next.action == stats::Action::measure_stage1;
    HONE_TRY(const bool sound, take_rounds(first_stage ? "stage1" : "confirmation", next.rounds));
    if (!sound) return false;
  }
}

// A change beyond 30 % is measured twice before anybody sees it; the confirmation is the repetition of a stage-1 gain.
Result<bool> Question::repeat_a_surprise(const stats::Step& done) {
  if (!done.needs_repetition) return true;
  HONE_TRY(const bool sound, take_rounds("repetition", rule_.looks.front().rounds));
  if (!sound) return false;
  std::vector<double> gains;
  for (const RoundRecord& record : rounds_) {
    if (record.stage == "repetition") gains.push_back(record.gain);
  }
  const stats::Estimate second = stats::hodges_lehmann(gains, rule_.confidence);
  const auto first = stats::reported_gain(done.evidence);
  if (first && stats::repetition_agrees(rule_, *first, second)) {
    verdict_.notes.push_back("a change beyond 30 % was measured twice and came back");
    return true;
  }
  verdict_.outcome = Outcome::inconclusive;
  verdict_.reason = "unstable";
  verdict_.message = "a change beyond 30 % did not come back when it was measured again";
  return true;
}

Outcome outcome_of(stats::Outcome outcome) {
  switch (outcome) {
    case stats::Outcome::faster:
      return Outcome::faster;
    case stats::Outcome::not_faster:
      return Outcome::not_faster;
    case stats::Outcome::inconclusive:
      return Outcome::inconclusive;
  }
  return Outcome::inconclusive;
}

void Question::write_decision(const stats::Step& step) {
  verdict_.outcome = outcome_of(step.answer->outcome);
  verdict_.reason = std::string(stats::name_of(step.answer->reason));
  write_evidence(step.evidence);
}

campaign::Interval speedups(const stats::Interval& gains) { return {std::exp(gains.lower), std::exp(gains.upper)}; }

void write_gain(campaign::Comparison& out, const stats::Rule& rule, const stats::Estimate& gain) {
  out.gain = gain.value;
  out.speedup = stats::speed_up(gain.value);
  out.headline_speedup = stats::headline_speed_up(rule, gain);
  if (!gain.interval) return;
  out.gain_interval = campaign::Interval{gain.interval->lower, gain.interval->upper};
  out.speedup_interval = speedups(*gain.interval);
}

void write_confirmation(campaign::Comparison& out, const stats::ConfirmationEvidence& evidence,
                        const task::Task& task) {
  out.looks.push_back({"confirmation", evidence.rounds, evidence.test.p, evidence.alpha, evidence.gain.value,
                       evidence.test.p <= evidence.alpha});
  out.tail_p_value = evidence.tail.p;
  const std::vector<std::string> ids = timed_case_ids(task);
  for (size_t i = 0; i < std::min(ids.size(), evidence.cases.size()); ++i)
    out.harm_p_values[ids[i]] = evidence.cases[i].no_harm_p;
}

void Question::write_evidence(const stats::Evidence& evidence) {
  campaign::Comparison& out = verdict_.comparison ? *verdict_.comparison : verdict_.comparison.emplace();
  for (const stats::LookEvidence& look : evidence.looks)
    out.looks.push_back({"stage1", look.rounds, look.test.p, look.alpha, look.median_gain, look.passed()});
  if (evidence.confirmation) write_confirmation(out, *evidence.confirmation, task_);
  if (const auto gain = stats::reported_gain(evidence)) write_gain(out, rule_, *gain);
}

// A time below the physical floor is an alarm, not a win; the binding ceiling is measured again before it is raised.
Result<bool> Question::check_floor() {
  if (verdict_.outcome != Outcome::faster) return true;
  const auto time_over_floor = [&](const CaseFloor& floor) {
    const auto found = std::find_if(verdict_.candidate_times.begin(), verdict_.candidate_times.end(),
                                    [&](const campaign::CaseTimes& t) { return t.case_id == floor.case_id; });
    return found == verdict_.candidate_times.end() || !floor.floor_s ? INFINITY : found->p50_s / *floor.floor_s;
  };
  const auto below = [&](const std::vector<CaseFloor>& floors) -> const CaseFloor* {
    const auto found = std::find_if(floors.begin(), floors.end(), [&](const CaseFloor& floor) {
      return stats::is_below_floor(rule_, time_over_floor(floor), 1.0);
    });
    return found == floors.end() ? nullptr : &*found;
  };
  if (below(floors_) == nullptr) return true;
  HONE_TRY(floors_, bench_.floors(true));
  verdict_.notes.push_back("the binding ceiling was measured again beside the candidate");
  const CaseFloor* floor = below(floors_);
  if (floor == nullptr) return true;
  verdict_.outcome = Outcome::suspect;
  verdict_.reason = "below the floor";
  verdict_.message =
      fmt::format("case '{}' would take {:.2f} of its physical floor ({}), and {} is the least that is believed",
                  floor->case_id, time_over_floor(*floor), floor->binding.value_or("unknown"), rule_.floor_share);
  return false;
}

namespace {

std::vector<double> p50_ns(const std::vector<campaign::CaseTimes>& times) {
  std::vector<double> all;
  for (const campaign::CaseTimes& one : times) all.push_back(1e9 * one.p50_s);
  return all;
}

}  // namespace

// A gain by the device's clock that the judge's own does not see is an alarm, not a win.
Status Question::check_windows() {
  if (verdict_.outcome != Outcome::faster || !verdict_.comparison->gain_interval) return ok();
  observer_.progress({"windows", 0, 0, ""});
  HONE_TRY(WindowsAnswer answer, bench_.windows());
  if (!answer.note.empty()) verdict_.notes.push_back(answer.note);
  if (answer.oracle_checks > 0) complete_checks_["windows"] += answer.oracle_checks;
  if (answer.failure) return settle(*answer.failure);
  std::vector<double> gains;
  for (const RoundRecord& record : answer.records) {
    const auto summary = stats::summarise(rule_, weighting_of(task_), to_round(record, timed_case_ids(task_)));
    if (summary) gains.push_back(-summary->d);
  }
  if (!answer.records.empty()) hold_against_windows(gains);
  return ok();
}

namespace {

std::string words_of(const campaign::SanitizerCheck& check) {
  if (check.state == "finished")
    return fmt::format("{} over {} in {:.1f} s", check.tool, counted(check.launches, "launch shape"), check.seconds);
  return fmt::format("{} {} ({} of {} launch shapes)", check.tool, check.state, check.launches, check.asked);
}

std::string words_of(const campaign::Sanitizing& record) {
  std::vector<std::string> words;
  for (const campaign::SanitizerCheck& check : record.checks) words.push_back(words_of(check));
  return "compute-sanitizer: " + join(words, ", ");
}

}  // namespace

// Only what is about to be promoted is worth its time. A tool that did not come to its end is no word against anybody.
Status Question::check_sanitizer() {
  if (verdict_.outcome != Outcome::faster || job_.question != campaign::Question::compare) return ok();
  observer_.progress({"sanitizer", 0, 0, ""});
  HONE_TRY(SanitizerAnswer answer, bench_.sanitize());
  if (answer.record) verdict_.notes.push_back(words_of(*answer.record));
  verdict_.sanitizer = std::move(answer.record);
  if (answer.failure) fail(*answer.failure);
  return ok();
}

void Question::hold_against_windows(const std::vector<double>& gains) {
  const campaign::Interval& interval = *verdict_.comparison->gain_interval;
  const stats::Estimate events{*verdict_.comparison->gain, stats::Interval{interval.low, interval.high}};
  const stats::Estimate windows = stats::hodges_lehmann(gains, rule_.window_confidence);
  if (!windows.interval) {
    verdict_.notes.push_back(
        "windows by the judge's own clock show nothing: the launches are lost beside the cache states");
    return;
  }
  const auto speedup = speedups(*windows.interval);
  const std::string seen = fmt::format("{:.3f} × as fast, {:g} % interval {:.3f} to {:.3f}", std::exp(windows.value),
                                       100 * rule_.window_confidence, speedup.low, speedup.high);
  verdict_.notes.push_back("by the judge's own clock, over windows of many launches: " + seen);
  const double allowance = stats::window_allowance(rule_, weighting_of(task_), p50_ns(verdict_.candidate_times),
                                                   p50_ns(verdict_.incumbent_times));
  if (!stats::clocks_contradict(windows, events, allowance)) return;
  verdict_.outcome = Outcome::suspect;
  verdict_.reason = "clock";
  verdict_.message =
      "the device's clock shows a gain that the judge's own does not: over windows of many launches it is " + seen;
}

// A failed run carries no time and no speed-up; what was seen of it stands in its message.
void Question::withdraw_figures() {
  verdict_.candidate_times.clear();
  if (!verdict_.comparison) return;
  campaign::Comparison& comparison = *verdict_.comparison;
  for (auto* figure : {&comparison.gain, &comparison.speedup, &comparison.headline_speedup}) figure->reset();
  for (auto* interval : {&comparison.gain_interval, &comparison.speedup_interval}) interval->reset();
}

std::vector<campaign::CaseTimes> Question::times_of(ArmName arm) const {
  // A confirmation times launch by launch, stage 1 perhaps in groups: where there are both, the former counts.
  const auto confirms = [](const RoundRecord& record) { return record.stage == "confirmation"; };
  const bool confirmed = std::any_of(rounds_.begin(), rounds_.end(), confirms);
  LaunchTimes times;
  for (const RoundRecord& record : rounds_) {
    if (!confirmed || confirms(record)) add_round(times, record, arm);
  }
  std::vector<campaign::CaseTimes> out;
  for (const CaseFloor& floor : floors_) {
    if (!times[floor.case_id].empty()) out.push_back(case_times(floor.case_id, floor.weight, times[floor.case_id]));
  }
  return out;
}

void add_noise(campaign::Comparison& out, const std::vector<RoundRecord>& rounds, const stats::Rule& rule) {
  std::vector<double> gains;
  for (const RoundRecord& record : rounds) {
    if (record.stage == "stage1") gains.push_back(record.gain);
  }
  out.stage1_rounds = gains.size();
  out.confirmation_rounds = static_cast<uint64_t>(
      std::count_if(rounds.begin(), rounds.end(), [](const RoundRecord& r) { return r.stage == "confirmation"; }));
  for (const RoundRecord& record : rounds) {
    for (const CaseSamples& samples : record.cases)
      out.discarded_quads += samples.discarded_incumbent_first + samples.discarded_candidate_first;
  }
  if (gains.empty()) return;
  out.round_noise = stats::standard_deviation(gains);
  if (out.round_noise)
    out.smallest_promotable_gain = stats::smallest_promotable_gain(rule, stats::gaussian(*out.round_noise), k_power,
                                                                   k_power_campaigns, k_power_seed);
}

void Question::write_times() {
  verdict_.candidate_times = times_of(ArmName::candidate);
  verdict_.incumbent_times = times_of(ArmName::incumbent);
  if (verdict_.comparison) add_noise(*verdict_.comparison, rounds_, rule_);
}

// Both arms built, and both right in the first trials.
Result<bool> Question::prepare_pair() {
  const task::Candidate incumbent = to_candidate(*job_.incumbent);
  verdict_.incumbent = incumbent.digest.hex();
  campaign::Comparison& comparison = verdict_.comparison.emplace();
  comparison.k = job_.k;
  comparison.alpha = stats::alpha_of_comparison(rule_, job_.k) / static_cast<double>(job_.portfolio);
  comparison.minimum_gain = std::log1p(rule_.delta_fraction);
  rounds_ = job_.earlier_rounds;
  const std::array both{incumbent, candidate_};
  HONE_CHECK(build_ahead(both));
  for (const auto& [arm, candidate] : {std::pair{ArmName::incumbent, &incumbent}, {ArmName::candidate, &candidate_}}) {
    HONE_TRY(const bool built, build(arm, *candidate));
    if (!built) return false;
  }
  for (const ArmName arm : {ArmName::incumbent, ArmName::candidate}) {
    HONE_TRY(const bool passed, trials(arm, 0, k_first_trials));
    if (!passed) return false;
  }
  return true;
}

// The best against what the run began with, directly: one confirmation without a stage 1. Whatever is not confirmed is
// no decision.
Result<Verdict> Question::estimate() {
  HONE_TRY(const bool ready, prepare_pair());
  if (!ready) return finish();
  stats::Step next = stats::confirm_alone(rule_, statistical_question(), rounds_of("confirmation"));
  while (next.action != stats::Action::done) {
    HONE_TRY(const bool sound, take_rounds("confirmation", next.rounds));
    if (!sound) return finish();
    next = stats::confirm_alone(rule_, statistical_question(), rounds_of("confirmation"));
  }
  write_decision(next);
  if (verdict_.outcome == Outcome::not_faster) verdict_.outcome = Outcome::inconclusive;
  return finish_decided();
}

Result<Verdict> Question::compare() {
  HONE_TRY(const bool ready, prepare_pair());
  if (!ready) return finish();
  HONE_TRY(const bool decided, decide_until_done());
  return decided ? finish_decided() : finish();
}

// Times and floors beside a decision, and the alarm when they do not fit.
Result<Verdict> Question::finish_decided() {
  HONE_TRY(floors_, bench_.floors(false));
  write_times();
  HONE_TRY(const bool plausible, check_floor());
  if (plausible) HONE_CHECK(check_windows());
  HONE_CHECK(check_sanitizer());
  return finish();
}

// Bytes, operations and the floor that follows from them would tell the sizes of a hidden case.
void write_floor(campaign::CaseTimes& times, const std::vector<CaseFloor>& floors, const task::Task& task) {
  if (is_hidden(task, times.case_id)) return;
  for (const CaseFloor& floor : floors) {
    if (floor.case_id != times.case_id) continue;
    times.floor_s = floor.floor_s;
    times.floor_binding = floor.binding;
    times.bytes = floor.bytes;
    times.flops = floor.flops;
  }
}

void Question::note_complete_checks() {
  for (const auto& [stage, launches] : complete_checks_)
    verdict_.notes.push_back(
        fmt::format("{} timed launches of {} were checked whole by the reference", launches, stage));
}

Verdict Question::finish() {
  for (auto* list : {&verdict_.candidate_times, &verdict_.incumbent_times}) {
    for (campaign::CaseTimes& times : *list) write_floor(times, floors_, task_);
  }
  if (campaign::is_failure(verdict_.outcome)) withdraw_figures();
  note_complete_checks();
  if (std::string note = note_on_hidden(task_); !note.empty()) verdict_.notes.push_back(std::move(note));
  const BenchReport report = bench_.report();
  verdict_.device_seconds = report.device_seconds;
  verdict_.oracle_seconds = report.oracle_seconds;
  verdict_.build_seconds = report.build_seconds;
  verdict_.step_seconds = report.step_seconds;
  verdict_.kernels = report.kernels;
  verdict_.device_key = report.device_key;
  verdict_.device_name = report.device_name;
  verdict_.trust = report.trust;
  verdict_.toolchain = report.toolchain;
  verdict_.layers = report.layers;
  for (const std::string& note : report.notes) verdict_.notes.push_back(note);
  return verdict_;
}

Result<Verdict> Question::answer() {
  switch (job_.question) {
    case campaign::Question::verify:
      return verify();
    case campaign::Question::measure:
      return measure();
    case campaign::Question::screen:
      return screen();
    case campaign::Question::compare:
      return compare();
    case campaign::Question::estimate:
      return estimate();
    case campaign::Question::admit:
      return admit();
  }
  return Error{ErrorCode::internal, "a question without an answer"};
}

}  // namespace

Result<campaign::Verdict> answer(const task::Task& task, const JudgingJob& job, Bench& bench,
                                 const Observer& observer) {
  const bool needs_incumbent = job.question == campaign::Question::compare ||
                               job.question == campaign::Question::screen ||
                               job.question == campaign::Question::estimate;
  if (needs_incumbent && !job.incumbent)
    return Error{ErrorCode::internal, "a comparison was asked without its incumbent"};
  return Question(task, job, bench, observer).answer();
}

std::vector<std::string> timed_case_ids(const task::Task& task) {
  std::vector<std::string> ids;
  for (const task::Case* one : task.cases_for(task::Purpose::time)) ids.push_back(one->id);
  return ids;
}

stats::Weighting weighting_of(const task::Task& task) {
  stats::Weighting weighting;
  weighting.objective =
      task.target.objective == task::Objective::geomean ? stats::Objective::geomean : stats::Objective::total_time;
  weighting.weights.clear();
  for (const task::Case* one : task.cases_for(task::Purpose::time)) weighting.weights.push_back(one->weight);
  return weighting;
}

}  // namespace hone::judge
