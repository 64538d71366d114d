#include "loop/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "loop/contract.h"
#include "loop/decide.h"
#include "loop/opening.h"

namespace hone::loop {

namespace {

// Before the first comparison of a session nothing is known of how long one takes; this is a short one's time.
constexpr auto k_shortest_experiment = std::chrono::seconds(4);

std::string text_of(const campaign::Mismatch& mismatch) {
  if (!mismatch.index)
    return fmt::format("case '{}', {} in '{}'", mismatch.case_id, mismatch.argument, mismatch.distribution);
  return fmt::format("case '{}', {}[{}] in '{}': expected {}, found {}", mismatch.case_id, mismatch.argument,
                     *mismatch.index, mismatch.distribution, mismatch.expected, mismatch.found);
}

Error baseline_error(const campaign::Verdict& verdict) {
  Error error{ErrorCode::refused,
              fmt::format("the baseline is {}: {}", name_of(verdict.outcome), verdict.message),
              {},
              "an untested or wrong kernel is never optimised",
              "repair the kernel or its contract; `hone run --repair` with --proposer manual or script makes repairing "
              "it the first change"};
  if (campaign::is_task_fault(verdict.outcome)) {
    error.code = ErrorCode::contract;
    error.what = fmt::format("the contract is at fault ({}): {}", name_of(verdict.outcome), verdict.message);
    error.help = "run `hone check` and mend task.toml or the reference";
  }
  if (verdict.correctness && verdict.correctness->first_mismatch)
    error.causes.push_back({error.code, "first mismatch: " + text_of(*verdict.correctness->first_mismatch)});
  if (!verdict.details.empty()) error.causes.push_back({error.code, "output, quoted:\n" + verdict.details});
  return error;
}

// Since the last rebaseline.
bool has_a_time(const campaign::State& state, const std::string& digest) {
  return std::any_of(state.answers.begin(), state.answers.end(),
                     [&](const auto& one) { return one.second.candidate == digest && one.second.candidate_s; });
}

}  // namespace

// ---- questions of state
// ---------------------------------------------------------------------------------------------------------

Result<task::Candidate> Session::candidate(const std::string& digest) const {
  return restore_candidate(state(), digest, [this](const std::string& blob) { return store_->get(blob); });
}

std::optional<double> Session::best_seconds() const {
  const campaign::Version* best = state().incumbent();
  if (best == nullptr) return std::nullopt;
  for (auto judged = state().judgements.rbegin(); judged != state().judgements.rend(); ++judged) {
    if (judged->candidate == best->candidate && judged->candidate_s) return judged->candidate_s;
  }
  return std::nullopt;
}

std::optional<Nanoseconds> Session::time_left() const {
  if (!limits_.time_limit_s) return std::nullopt;
  return from_seconds(*limits_.time_limit_s) - (services_.clock->now() - begin_);
}

StopInputs Session::stop_inputs() const {
  StopInputs inputs;
  inputs.state = &state();
  inputs.best_seconds = best_seconds();
  inputs.target_seconds = target_seconds_;
  if (const auto& diagnosis = state().diagnosis; diagnosis && diagnosis->candidate == state().incumbent()->candidate)
    inputs.fraction_of_floor = diagnosis->fraction_of_floor;
  inputs.time_left = time_left();
  inputs.needed_for_next = judging_->longest_comparison().value_or(k_shortest_experiment) * 3 / 4;
  inputs.iteration_limit = limits_.iteration_limit;
  inputs.device_seconds_limit = limits_.device_limit_s;
  const bool written = services_.proposer->source() == propose::Source::written;
  inputs.judgement_awaited = written && iterations(state()) == 0;
  return inputs;
}

Status Session::write_views() { return loop::write_views(*store_, *task_); }

// ---- baseline
// ---------------------------------------------------------------------------------------------------------------------

Status Session::set_baseline(const task::Candidate& baseline) {
  judging_->set_baseline(baseline);
  services_.display->phase("measure the baseline");
  HONE_TRY(const Answer measured, judging_->measure(baseline));
  if (measured.verdict.outcome != campaign::Outcome::measured) return baseline_error(measured.verdict);
  campaign::BaselineSet set{baseline.digest.hex(), measured.blob, "", "", anchor_of(store_->head()), 0};
  set.date_s = std::chrono::duration_cast<std::chrono::seconds>(services_.clock->wall_time()).count();
  HONE_TRY(const VersionCommit commit, apart([&] {
             return history_->prepare(baseline, {0, std::nullopt, set.verdict, set.anchor, set.date_s});
           }));
  set.tree = commit.tree;
  set.commit = commit.commit;
  HONE_CHECK(store_->append(std::move(set)));
  return apart([&] { return history_->follow(); });
}

// A wrong baseline's only allowed first change is its repair.
Result<task::Candidate> Session::repair(const task::Candidate& broken, const campaign::Verdict& verdict) {
  propose::Brief brief = brief_from(broken);
  brief.experiment = 1;
  HONE_TRY(const auto plan, services_.proposer->plan(brief));
  if (!plan) return baseline_error(verdict);
  HONE_TRY(propose::Proposal proposal, services_.proposer->propose(brief, *plan, screener(broken)));
  if (!proposal.candidate) return baseline_error(verdict);
  HONE_CHECK(judging_->introduce(*proposal.candidate, broken.digest.hex(), std::string(services_.proposer->name())));
  HONE_TRY(const Answer answer, judging_->admit(*proposal.candidate));
  if (answer.verdict.outcome != campaign::Outcome::correct) return baseline_error(answer.verdict);
  return *std::move(proposal.candidate);
}

Status Session::baseline() {
  if (!state().versions.empty()) {
    HONE_TRY(const task::Candidate v0, candidate(state().versions.front().candidate));
    judging_->set_baseline(v0);
    return remeasure();
  }
  HONE_TRY(task::Candidate v0, task::read_candidate(*task_, task_->folder));
  judging_->set_baseline(v0);
  HONE_CHECK(judging_->introduce(v0, std::nullopt, "baseline"));
  services_.display->phase("verify the baseline, and that its checks reject what is wrong");
  HONE_TRY(const Answer answer, judging_->admit(v0));
  if (answer.verdict.outcome != campaign::Outcome::correct) {
    const bool repairs =
        request_.on_wrong_baseline == OnWrongBaseline::repair && !campaign::is_task_fault(answer.verdict.outcome);
    if (!repairs) return baseline_error(answer.verdict);
    HONE_TRY(v0, repair(v0, answer.verdict));
  }
  return set_baseline(v0);
}

// After a rebaseline v0 and the incumbent are measured anew; otherwise their answers are known and this costs nothing.
Status Session::remeasure() {
  std::vector<std::string> digests{state().versions.front().candidate};
  if (state().incumbent_version != 0) digests.push_back(state().incumbent()->candidate);
  for (const std::string& digest : digests) {
    if (has_a_time(state(), digest)) continue;
    services_.display->phase("measure again after a rebaseline");
    HONE_TRY(const task::Candidate one, candidate(digest));
    HONE_TRY(const Answer measured, judging_->measure(one));
    if (measured.verdict.outcome != campaign::Outcome::measured) return baseline_error(measured.verdict);
  }
  return ok();
}

// ---- the loop
// -----------------------------------------------------------------------------------------------------------------------

Status Session::iterate() {
  HONE_CHECK(diagnose());
  HONE_CHECK(choose_target());
  while (true) {
    HONE_CHECK(diagnose());
    HONE_CHECK(write_views());
    // An interrupted experiment is finished first: its comparison is charged.
    if (state().open_experiment() == nullptr) {
      if (const auto reason = check_stop(stop_inputs())) return stop(*reason);
    }
    HONE_TRY(const bool more, experiment());
    if (!more) return stop({campaign::StopStatus::exhausted, "every direction from here was tried"});
  }
}

// How much faster the best is than v0, as one direct paired estimate, not a product of steps.
Status Session::final_confirmation() {
  if (state().incumbent_version == 0) return ok();
  const auto& done = state().final_confirmation;
  if (done && done->candidate == state().incumbent()->candidate) return ok();
  // A promotion straight from v0 was that very comparison.
  if (state().incumbent()->parent == state().versions.front().commit) return ok();
  services_.display->phase("confirm the best against the baseline");
  HONE_TRY(const task::Candidate best, incumbent());
  HONE_TRY(const task::Candidate v0, candidate(state().versions.front().candidate));
  HONE_TRY(const Answer answer, judging_->estimate(best, v0));
  campaign::FinalConfirmed confirmed{best.digest.hex(), answer.blob, {}, {}};
  if (answer.verdict.outcome == campaign::Outcome::faster && answer.verdict.comparison) {
    confirmed.speedup = answer.verdict.comparison->speedup;
    confirmed.speedup_interval = answer.verdict.comparison->speedup_interval;
  }
  return store_->append(std::move(confirmed));
}

Status Session::stop(const Stop& stop) {
  const bool unfinished =
      stop.status == campaign::StopStatus::interrupted || stop.status == campaign::StopStatus::failed;
  if (!unfinished) HONE_CHECK(final_confirmation());
  const double wall = to_seconds(services_.clock->now() - begin_);
  const double own = std::max(0.0, wall - judging_->executor_seconds() - apart_seconds_);
  HONE_CHECK(store_->append(campaign::Stopped{stop.status, stop.reason, wall, own}));
  return write_views();
}

Result<RunReport> Session::run() {
  HONE_CHECK(open());
  Status done = baseline();
  if (done) done = iterate();
  if (!done) {
    const bool interrupted = done.error().code == ErrorCode::interrupted;
    const auto status = interrupted ? campaign::StopStatus::interrupted : campaign::StopStatus::failed;
    std::ignore = stop({status, done.error().what});
    if (interrupted)
      done.error().help = fmt::format("go on with `hone resume -C {}`", request_.campaign_folder.string());
    return done.error();
  }
  RunReport report;
  report.stop = {state().stopped->status, state().stopped->reason};
  report.version = state().incumbent_version;
  report.improved = report.version != 0;
  return report;
}

Result<RunReport> run(const RunRequest& request, const RunServices& services) {
  return Session(request, services).run();
}

}  // namespace hone::loop
