// One experiment: plan, implement, verify, screen, compare, decide, record. Every step leaves an event before the next
// begins, and every step finds its own event when it is run again after a crash.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "loop/contract.h"
#include "loop/decide.h"
#include "loop/session.h"
#include "stats/guards.h"
#include "stats/rule.h"

namespace hone::loop {

namespace {

using campaign::ExperimentStatus;
using campaign::Outcome;

// A new answer would be the store's: what was compared, what failed, and what was found wrong later.
std::set<std::string> rejected_in(const campaign::State& state) {
  std::set<std::string> rejected;
  for (const auto& [key, judged] : state.answers) {
    const bool compared = judged.question == campaign::Question::compare && judged.outcome != Outcome::incumbent_wrong;
    if (compared || campaign::is_failure(judged.outcome)) rejected.insert(judged.candidate);
  }
  for (const campaign::Version& version : state.versions) {
    if (version.demoted) rejected.insert(version.candidate);
  }
  return rejected;
}

}  // namespace

propose::Brief Session::brief_from(const task::Candidate& from) const {
  propose::Brief brief;
  brief.task = &*task_;
  brief.from = from;
  brief.tier_order = state().diagnosis ? state().diagnosis->tier_order : std::vector<int>{1, 2, 3, 4, 5};
  for (const auto& [context, group] : state().dead_ends) {
    if (context == from.digest.hex()) brief.closed_groups.insert(group);
  }
  brief.rejected = rejected_in(state());
  brief.experiment = state().experiments.size() + (state().open_experiment() == nullptr ? 1 : 0);
  brief.turn = turn();
  brief.time_left = time_left();
  return brief;
}

// A repaired baseline was this proposer's first turn; an open experiment has had its turn already.
uint64_t Session::turn() const {
  const std::string self = services_.proposer->identity();
  const bool repaired =
      !state().versions.empty() &&
      state().find_candidate(state().versions.front().candidate)->origin == services_.proposer->name();
  uint64_t turns = repaired ? 2 : 1;
  for (const campaign::Experiment& one : state().experiments) turns += one.decided && one.proposer == self ? 1 : 0;
  return turns;
}

propose::Screener Session::screener(const task::Candidate& incumbent) {
  return [this, incumbent](const std::vector<task::Candidate>& candidates, Nanoseconds limit) {
    return judging_->screen(candidates, incumbent, limit);
  };
}

Status Session::start(const propose::Plan& plan, const task::Candidate& from) {
  campaign::ExperimentStarted started{state().experiments.size() + 1,
                                      from.digest.hex(),
                                      plan.tier,
                                      plan.group,
                                      plan.hypothesis,
                                      plan.change,
                                      plan.expected,
                                      ""};
  started.decision_rule = fmt::format("promote if the paired test proves a gain above {} and no case is harmed",
                                      percent(stats::Rule{}.delta_fraction, 0));
  services_.display->phase(fmt::format("experiment {}: tier {}, {}", started.experiment, plan.tier, plan.change));
  return store_->append(std::move(started));
}

Result<bool> Session::experiment() {
  HONE_CHECK(expire_parked());
  if (const campaign::Experiment* open = state().open_experiment()) {
    HONE_CHECK(resume_experiment(*open));
    return true;
  }
  task::Candidate from;
  HONE_TRY(const auto plan, next_plan(from));
  if (!plan) return false;
  HONE_CHECK(start(*plan, from));
  HONE_CHECK(finish_experiment(state().experiments.size(), from));
  return true;
}

// What was offered is judged; a plan that nobody acted upon is its own proposer's alone.
Status Session::resume_experiment(const campaign::Experiment& open) {
  const uint64_t number = open.started.experiment;
  if (!open.candidate && open.proposer != services_.proposer->identity())
    return decide({number, ExperimentStatus::neutral, Outcome::inconclusive, "given up: another proposer goes on",
                   std::nullopt, std::nullopt});
  HONE_TRY(const task::Candidate from, candidate(open.started.parent));
  return finish_experiment(number, from);
}

Status Session::finish_experiment(uint64_t number, const task::Candidate& from) {
  const campaign::Experiment& open = state().experiments[number - 1];
  if (open.candidate) {
    HONE_TRY(const task::Candidate offered, candidate(*open.candidate));
    return judge_candidate(offered, from);
  }
  const campaign::ExperimentStarted& started = open.started;
  if (state().was_demoted(started.parent)) return give_up("what it starts from was found wrong");
  const propose::Plan plan{started.tier, started.group, started.hypothesis, started.change, started.expected};
  HONE_TRY(const auto offered, act(plan, from));
  if (!offered) return ok();
  return judge_candidate(*offered, from);
}

Status Session::give_up(const std::string& reason) {
  return decide({state().experiments.size(), ExperimentStatus::neutral, Outcome::incumbent_wrong, reason, std::nullopt,
                 std::nullopt});
}

// A screen in which the incumbent fails says nothing of what it was compared with: the experiment ends, its direction
// stays open.
Result<bool> Session::lost_its_incumbent() {
  const auto verdict = judging_->take_incumbent_failure();
  if (!verdict) return false;
  HONE_CHECK(demote(*verdict));
  HONE_CHECK(give_up(verdict->reason));
  return true;
}

// The proposer acts; without a candidate the experiment is decided here.
Result<std::optional<task::Candidate>> Session::act(const propose::Plan& plan, const task::Candidate& from) {
  HONE_TRY(const task::Candidate best, incumbent());
  HONE_TRY(propose::Proposal proposal, services_.proposer->propose(brief_from(from), plan, screener(best)));
  const uint64_t number = state().experiments.size();
  campaign::Searched searched{number, proposal.steps.size(), {}, proposal.best_ratio, "", proposal.device_seconds};
  if (proposal.candidate) searched.best = proposal.candidate->digest.hex();
  HONE_TRY(searched.steps, store_->put_json(proposal.steps));
  HONE_CHECK(store_->append(std::move(searched)));
  HONE_TRY(const bool lost, lost_its_incumbent());
  if (lost) return std::optional<task::Candidate>();
  if (!proposal.reason.empty()) services_.display->note(proposal.reason);
  if (proposal.candidate) {
    HONE_CHECK(judging_->introduce(*proposal.candidate, from.digest.hex(), std::string(services_.proposer->name())));
    HONE_CHECK(store_->append(campaign::CandidateOffered{number, proposal.candidate->digest.hex()}));
    return std::move(proposal.candidate);
  }
  if (proposal.near) HONE_CHECK(park(*proposal.near, from, proposal.near_ratio));
  HONE_CHECK(close_group(from.digest.hex(), plan.group, proposal.reason));
  HONE_CHECK(
      decide({number, ExperimentStatus::neutral, Outcome::screened, "nothing to offer", std::nullopt, std::nullopt}));
  return std::optional<task::Candidate>();
}

// The answer that this experiment already has: the log is asked before the judge, or a promoted candidate would meet
// itself.
Result<std::optional<Answer>> Session::own_answer() const {
  const campaign::Experiment& open = state().experiments.back();
  std::optional<std::string> blob;
  if (open.compared) blob = open.compared->verdict;
  const campaign::Version& last = state().versions.back();
  if (last.experiment == open.started.experiment) blob = last.verdict;
  if (!blob) return std::optional<Answer>();
  HONE_TRY(campaign::Verdict verdict, store_->get_json<campaign::Verdict>(*blob));
  return std::optional(Answer{std::move(verdict), *blob});
}

// Without asking: a candidate that changes nothing, or that was the incumbent once and was found wrong.
std::optional<campaign::Decided> Session::decided_unasked(const task::Candidate& candidate) const {
  campaign::Decided decided{
      state().experiments.size(), ExperimentStatus::neutral, Outcome::not_faster, "the same as the incumbent", {}, {}};
  if (candidate.digest.hex() == state().incumbent()->candidate) return decided;
  if (!state().was_demoted(candidate.digest.hex())) return std::nullopt;
  decided.status = ExperimentStatus::failed;
  decided.reason = "it was the incumbent once and was found wrong";
  return decided;
}

Status Session::judge_candidate(const task::Candidate& candidate, const task::Candidate& from) {
  HONE_TRY(const auto answered, own_answer());
  if (answered) return conclude(candidate, from, *answered);
  if (const auto decided = decided_unasked(candidate)) return decide(*decided);
  services_.display->phase("verify the candidate");
  HONE_TRY(const Answer verified, judging_->verify(candidate));
  if (verified.verdict.outcome != Outcome::correct) return conclude(candidate, from, verified);
  HONE_TRY(const task::Candidate best, incumbent());
  if (!state().open_comparison) {
    HONE_TRY(const bool survives, survives_screen(candidate, from, best));
    if (!survives) return ok();
  }
  services_.display->phase("compare with the incumbent");
  HONE_TRY(const Answer compared, judging_->compare(candidate, best));
  return conclude(candidate, from, compared);
}

namespace {

struct Screened {
  bool slower = false;
  double gain = 0;  // ln
};

Screened read_screen(const propose::ScreenAnswer& answer) {
  if (answer.results.empty()) return {};
  const campaign::ScreenResult& result = answer.results.front();
  return {result.outcome == "slower", -std::log(result.ratio.value_or(1.0))};
}

bool come_back(const Screened& first, const Screened& second) {
  return stats::repetition_agrees(stats::Rule{}, {first.gain, std::nullopt}, {second.gain, std::nullopt});
}

}  // namespace

// One candidate alone; nothing when the incumbent failed, which ended the experiment.
Result<std::optional<propose::ScreenAnswer>> Session::screen_alone(const task::Candidate& candidate,
                                                                   const task::Candidate& incumbent) {
  constexpr auto k_limit = std::chrono::seconds(10);
  HONE_TRY(propose::ScreenAnswer answer, judging_->screen({candidate}, incumbent, k_limit));
  HONE_TRY(const bool lost, lost_its_incumbent());
  return lost ? std::nullopt : std::optional(std::move(answer));
}

// The quick screen may only reject. A loss beyond 30 % is screened twice before it is believed: one that does not come
// back is unstable and closes no direction.
Result<bool> Session::survives_screen(const task::Candidate& candidate, const task::Candidate& from,
                                      const task::Candidate& incumbent) {
  services_.display->phase("screen the candidate");
  HONE_TRY(const auto answer, screen_alone(candidate, incumbent));
  if (!answer) return false;
  Screened seen = read_screen(*answer);
  if (!seen.slower) return true;
  if (-seen.gain >= std::log1p(stats::Rule{}.repeat_beyond_fraction)) {
    HONE_TRY(const auto again, screen_alone(candidate, incumbent));
    if (!again) return false;
    const Screened repeated = read_screen(*again);
    if (!come_back(seen, repeated)) {
      HONE_CHECK(
          decide({state().experiments.size(), ExperimentStatus::unstable, Outcome::inconclusive,
                  "a loss beyond 30 % did not come back when it was screened again", std::nullopt, std::nullopt}));
      return false;
    }
    if (!repeated.slower) return true;
    seen = repeated;
  }
  HONE_CHECK(close_group(from.digest.hex(), state().experiments.back().started.group, "the quick screen rejected it"));
  HONE_CHECK(decide({state().experiments.size(), ExperimentStatus::regressed, Outcome::not_faster, "screen",
                     std::expm1(seen.gain), std::nullopt}));
  return false;
}

namespace {

std::optional<double> ratio_of(const campaign::Verdict& verdict) {
  const bool lost = verdict.outcome == Outcome::not_faster || verdict.outcome == Outcome::inconclusive;
  if (!lost || !verdict.comparison || !verdict.comparison->speedup) return std::nullopt;
  return 1.0 / *verdict.comparison->speedup;
}

}  // namespace

// What a verdict leaves behind, the decision last: until then a resume comes here again.
Status Session::conclude(const task::Candidate& candidate, const task::Candidate& from, const Answer& answer) {
  const campaign::Verdict& verdict = answer.verdict;
  if (campaign::is_task_fault(verdict.outcome))
    return Error{ErrorCode::contract,
                 fmt::format("the contract is at fault ({}): {}", name_of(verdict.outcome), verdict.message),
                 {},
                 "",
                 "run `hone check` and mend task.toml or the reference"};
  const Decision decision = loop::decide(verdict, target_seconds_);
  if (verdict.outcome == Outcome::incumbent_wrong) HONE_CHECK(demote(verdict));
  if (verdict.outcome == Outcome::faster) HONE_CHECK(promote(candidate, answer));
  HONE_CHECK(close_direction(candidate, from, verdict, decision.status));
  return decide(
      {state().experiments.size(), decision.status, verdict.outcome, decision.reason, decision.delta, answer.blob});
}

// A failed candidate is rejected and its group stays open, since another choice may be right; what is unstable proves
// nothing.
Status Session::close_direction(const task::Candidate& candidate, const task::Candidate& from,
                                const campaign::Verdict& verdict, ExperimentStatus status) {
  const campaign::ExperimentStarted started = state().experiments.back().started;
  if (verdict.outcome == Outcome::faster) return close_group(candidate.digest.hex(), started.group, "just searched");
  const bool compared = verdict.outcome == Outcome::not_faster || verdict.outcome == Outcome::inconclusive;
  if (!compared || status == ExperimentStatus::unstable) return ok();
  if (const auto ratio = ratio_of(verdict)) HONE_CHECK(park(candidate, from, *ratio));
  return close_group(from.digest.hex(), started.group, std::string(name_of(verdict.outcome)));
}

Status Session::decide(campaign::Decided decided) {
  const campaign::ExperimentStarted started = state().experiments[decided.experiment - 1].started;
  HONE_CHECK(store_->append(decided));
  services_.display->decided(started, decided);
  return ok();
}

Status Session::close_group(const std::string& context, const std::string& group, const std::string& reason) {
  if (state().is_dead_end(context, group)) return ok();
  return store_->append(campaign::DeadEnd{context, group, reason, "another incumbent, device or compiler"});
}

}  // namespace hone::loop
