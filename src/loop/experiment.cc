// One experiment: plan, implement, verify, screen, compare, decide, record. Every step leaves an event before the next begins, and
// every step finds its own event when it is run again after a crash.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "loop/contract.h"
#include "loop/decide.h"
#include "loop/session.h"
#include "stats/rule.h"

namespace hone::loop {

namespace {

using campaign::ExperimentStatus;
using campaign::Outcome;

// A structurally right change that first loses a little may be parked and built upon: a beam of two, for three experiments.
constexpr size_t k_beam = 2;
constexpr uint64_t k_parked_experiments = 3;
constexpr double k_largest_parked_loss = 1.05;
constexpr int k_structural_tiers[] = {2, 3};  // a new memory layout or algorithm changes what the other tiers can do

bool is_structural(int tier) { return std::find(std::begin(k_structural_tiers), std::end(k_structural_tiers), tier) != std::end(k_structural_tiers); }

}  // namespace

propose::Brief Session::brief_from(const task::Candidate& from) const {
  propose::Brief brief;
  brief.task = &*task_;
  brief.from = from;
  brief.tier_order = state().diagnosis ? state().diagnosis->tier_order : std::vector<int>{1, 2, 3, 4, 5};
  for (const auto& [context, group] : state().dead_ends) {
    if (context == from.digest.hex()) brief.closed_groups.insert(group);
  }
  for (const campaign::Judged& judged : state().judgements) {
    if (judged.question == campaign::Question::compare) brief.rejected.insert(judged.candidate);
  }
  brief.experiment = state().experiments.size() + (state().open_experiment() == nullptr ? 1 : 0);
  brief.time_left = time_left();
  return brief;
}

propose::Screener Session::screener(const task::Candidate& incumbent) {
  return [this, incumbent](const std::vector<task::Candidate>& candidates, Nanoseconds limit) {
    return judging_->screen(candidates, incumbent, limit);
  };
}

// From the incumbent while it has directions left, then from what is parked.
Result<std::optional<propose::Plan>> Session::next_plan(task::Candidate& from) {
  HONE_TRY(from, incumbent());
  HONE_TRY(auto plan, services_.proposer->plan(brief_from(from)));
  if (plan) return plan;
  for (const auto& [digest, parked] : state().parked) {
    HONE_TRY(from, candidate(digest));
    HONE_TRY(auto further, services_.proposer->plan(brief_from(from)));
    if (further) return further;
  }
  return std::optional<propose::Plan>();
}

Status Session::start(const propose::Plan& plan, const task::Candidate& from) {
  campaign::ExperimentStarted started{state().experiments.size() + 1, from.digest.hex(), plan.tier, plan.group, plan.hypothesis,
                                      plan.change, plan.expected, ""};
  started.decision_rule = fmt::format("promote if the paired test proves a gain above {} and no case is harmed", percent(stats::Rule{}.delta_fraction, 0));
  services_.display->phase(fmt::format("experiment {}: tier {}, {}", started.experiment, plan.tier, plan.change));
  return store_->append(std::move(started));
}

Result<bool> Session::experiment() {
  HONE_CHECK(expire_parked());
  if (const campaign::Experiment* open = state().open_experiment()) {
    const std::string parent = open->started.parent;
    const uint64_t number = open->started.experiment;
    HONE_TRY(const task::Candidate from, candidate(parent));
    HONE_CHECK(finish_experiment(number, from));
    return true;
  }
  task::Candidate from;
  HONE_TRY(const auto plan, next_plan(from));
  if (!plan) return false;
  HONE_CHECK(start(*plan, from));
  HONE_CHECK(finish_experiment(state().experiments.size(), from));
  return true;
}

Status Session::finish_experiment(uint64_t number, const task::Candidate& from) {
  const campaign::Experiment& open = state().experiments[number - 1];
  if (open.candidate) {
    HONE_TRY(const task::Candidate offered, candidate(*open.candidate));
    return judge_candidate(offered, from);
  }
  const campaign::ExperimentStarted& started = open.started;
  const propose::Plan plan{started.tier, started.group, started.hypothesis, started.change, started.expected};
  HONE_TRY(const auto offered, act(plan, from));
  if (!offered) return ok();
  return judge_candidate(*offered, from);
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
  if (!proposal.reason.empty()) services_.display->note(proposal.reason);
  if (proposal.candidate) {
    HONE_CHECK(judging_->introduce(*proposal.candidate, from.digest.hex(), std::string(services_.proposer->name())));
    HONE_CHECK(store_->append(campaign::CandidateOffered{number, proposal.candidate->digest.hex()}));
    return std::move(proposal.candidate);
  }
  if (proposal.near) HONE_CHECK(park(*proposal.near, plan, proposal.near_ratio));
  HONE_CHECK(close_group(from.digest.hex(), plan.group, proposal.reason));
  HONE_CHECK(decide({number, ExperimentStatus::neutral, Outcome::screened, "nothing to offer", std::nullopt, std::nullopt}));
  return std::optional<task::Candidate>();
}

Status Session::judge_candidate(const task::Candidate& candidate, const task::Candidate& from) {
  const campaign::ExperimentStarted started = state().experiments.back().started;
  HONE_TRY(const task::Candidate best, incumbent());
  services_.display->phase("verify the candidate");
  HONE_TRY(const Answer verified, judging_->verify(candidate));
  if (verified.verdict.outcome != Outcome::correct) {
    HONE_CHECK(close_group(from.digest.hex(), started.group, verified.verdict.message));
    return take_verdict(candidate, verified);
  }
  const bool charged = state().open_comparison.has_value();
  if (!charged && best.digest != candidate.digest) {
    HONE_TRY(const bool survives, survives_screen(candidate, best));
    if (!survives) return close_group(from.digest.hex(), started.group, "the quick screen rejected it");
  }
  services_.display->phase("compare with the incumbent");
  HONE_TRY(const Answer compared, judging_->compare(candidate, best));
  HONE_CHECK(take_verdict(candidate, compared));
  // In the incumbent's new context the same group has just been searched.
  const bool promoted = compared.verdict.outcome == Outcome::faster;
  return close_group(promoted ? candidate.digest.hex() : from.digest.hex(), started.group,
                     promoted ? "just searched" : std::string(name_of(compared.verdict.outcome)));
}

// The quick screen may only reject, and a loss beyond 30 % is screened twice before it is believed.
Result<bool> Session::survives_screen(const task::Candidate& candidate, const task::Candidate& incumbent) {
  const stats::Rule rule;
  services_.display->phase("screen the candidate");
  std::vector<double> ratios;
  for (int attempt = 0; attempt < 2; ++attempt) {
    HONE_TRY(const propose::ScreenAnswer answer, judging_->screen({candidate}, incumbent, std::chrono::seconds(10)));
    if (answer.results.empty() || answer.results.front().outcome != "slower") return true;
    ratios.push_back(answer.results.front().ratio.value_or(1.0));
    if (ratios.front() < 1.0 + rule.repeat_beyond_fraction) break;
  }
  const campaign::Decided regressed{state().experiments.size(), ExperimentStatus::regressed, Outcome::not_faster, "screen",
                                    1.0 / ratios.back() - 1.0, std::nullopt};
  HONE_CHECK(decide(regressed));
  return false;
}

Status Session::take_verdict(const task::Candidate& candidate, const Answer& answer) {
  const campaign::Verdict& verdict = answer.verdict;
  if (campaign::is_task_fault(verdict.outcome))
    return Error{ErrorCode::contract, fmt::format("the contract is at fault ({}): {}", name_of(verdict.outcome), verdict.message), {}, "",
                 "run `hone check` and mend task.toml or the reference"};
  if (verdict.outcome == Outcome::incumbent_wrong) HONE_CHECK(demote(verdict));
  if (verdict.outcome == Outcome::faster) HONE_CHECK(promote(candidate, answer));
  const Decision decision = loop::decide(verdict, target_seconds_);
  return decide({state().experiments.size(), decision.status, verdict.outcome, decision.reason, decision.delta, answer.blob});
}

// One event is the commit point; git follows it. Run again after a crash it finds what is done.
Status Session::promote(const task::Candidate& candidate, const Answer& answer) {
  if (state().incumbent()->candidate == candidate.digest.hex()) return ok();
  campaign::Promoted promoted;
  promoted.version = state().versions.size();
  promoted.experiment = state().experiments.size();
  promoted.candidate = candidate.digest.hex();
  promoted.parent = state().incumbent()->commit;
  promoted.verdict = answer.blob;
  promoted.anchor = anchor_of(store_->head());
  promoted.date_s = std::chrono::duration_cast<std::chrono::seconds>(services_.clock->wall_time()).count();
  HONE_TRY(const VersionCommit commit, apart([&] {
             return history_->prepare(candidate, {promoted.version, promoted.parent, promoted.verdict, promoted.anchor, promoted.date_s});
           }));
  promoted.tree = commit.tree;
  promoted.commit = commit.commit;
  HONE_CHECK(store_->append(std::move(promoted)));
  HONE_CHECK(apart([&] { return history_->follow(); }));
  if (state().parked.contains(candidate.digest.hex()))
    HONE_CHECK(store_->append(campaign::Unparked{candidate.digest.hex(), "built upon"}));
  return ok();
}

// Back to the newest older version that passes on its own.
Status Session::demote(const campaign::Verdict& verdict) {
  const uint64_t wrong = state().incumbent_version;
  for (uint64_t number = wrong; number-- > 0;) {
    if (state().versions[number].demoted) continue;
    HONE_TRY(const task::Candidate older, candidate(state().versions[number].candidate));
    HONE_TRY(const Answer answer, judging_->verify(older));
    if (answer.verdict.outcome != Outcome::correct) continue;
    services_.display->note(fmt::format("v{} was found wrong; v{} is the incumbent again", wrong, number));
    return store_->append(campaign::Demoted{wrong, number, verdict.message});
  }
  return Error{ErrorCode::refused, fmt::format("the incumbent v{} was found wrong and no older version passes: {}", wrong, verdict.message)};
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

Status Session::park(const task::Candidate& candidate, const propose::Plan& plan, double ratio) {
  const bool worth = is_structural(plan.tier) && ratio <= k_largest_parked_loss && state().parked.size() < k_beam;
  if (!worth || state().parked.contains(candidate.digest.hex())) return ok();
  HONE_CHECK(judging_->introduce(candidate, state().incumbent()->candidate, std::string(services_.proposer->name())));
  const uint64_t number = state().experiments.size();
  return store_->append(campaign::Parked{candidate.digest.hex(), number,
                                         fmt::format("loses {} now", percent(ratio - 1.0)),
                                         "tiers 1, 3 and 5 on top of it", std::nullopt, number + k_parked_experiments});
}

Status Session::expire_parked() {
  std::vector<std::string> expired;
  for (const auto& [digest, parked] : state().parked) {
    if (state().experiments.size() >= parked.expires_after) expired.push_back(digest);
  }
  for (const std::string& digest : expired) HONE_CHECK(store_->append(campaign::Unparked{digest, "expired"}));
  return ok();
}

}  // namespace hone::loop
