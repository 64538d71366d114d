// The diagnose phase: what bounds the incumbent, from its measured times and the contract's roofline, and the target that follows.
#include <fmt/format.h>

#include "base/text.h"
#include "diagnose/diagnosis.h"
#include "diagnose/target.h"
#include "loop/session.h"

namespace hone::loop {

namespace {

// The incumbent's times by case, from the newest answer that has them.
std::map<std::string, double> times_of(const std::vector<campaign::CaseTimes>& times) {
  std::map<std::string, double> seconds;
  for (const campaign::CaseTimes& one : times) seconds[one.case_id] = one.p50_s;
  return seconds;
}

}  // namespace

Result<std::vector<campaign::CaseTimes>> Session::times_of_incumbent() const {
  const std::string& best = state().incumbent()->candidate;
  for (auto judged = state().judgements.rbegin(); judged != state().judgements.rend(); ++judged) {
    if (judged->candidate != best || !judged->candidate_s) continue;
    HONE_TRY(const campaign::Verdict verdict, store_->get_json<campaign::Verdict>(judged->verdict));
    return verdict.candidate_times;
  }
  return std::vector<campaign::CaseTimes>();
}

Result<std::vector<diagnose::CaseEvidence>> Session::evidence() const {
  HONE_TRY(const auto times, times_of_incumbent());
  const auto seconds = times_of(times);
  std::vector<diagnose::CaseEvidence> cases;
  for (const task::Case* one : task_->cases_for(task::Purpose::time)) {
    HONE_TRY(const task::BoundCase bound, task::bind_case(*task_, *one));
    diagnose::CaseEvidence evidence{one->id, one->weight, {}, {}};
    if (services_.ceilings) evidence.floor = diagnose::floor_of(bound, *services_.ceilings, task_->policy.cache);
    if (const auto found = seconds.find(one->id); found != seconds.end()) evidence.seconds = found->second;
    cases.push_back(std::move(evidence));
  }
  return cases;
}

Status Session::diagnose() {
  const std::string& best = state().incumbent()->candidate;
  if (state().diagnosis && state().diagnosis->candidate == best) return ok();
  HONE_TRY(const auto cases, evidence());
  const auto empty_launch = services_.ceilings ? services_.ceilings->empty_launch_seconds : std::nullopt;
  const diagnose::Diagnosis found = diagnose::diagnose(cases, task_->work.bound, empty_launch);
  campaign::Diagnosed diagnosed;
  diagnosed.candidate = best;
  diagnosed.bottleneck = found.bound ? std::string(name_of(*found.bound)) : "unknown";
  diagnosed.source = found.source;
  diagnosed.confidence = std::string(name_of(found.confidence));
  diagnosed.fraction_of_floor = found.floor_fraction;
  if (found.floor_fraction && best_seconds()) diagnosed.floor_s = *found.floor_fraction * *best_seconds();
  diagnosed.tier_order = found.tiers;
  diagnosed.reason = found.tier_reason;
  diagnosed.warnings = found.warnings;
  for (const std::string& warning : found.warnings) services_.display->note("warning: " + warning);
  return store_->append(std::move(diagnosed));
}

namespace {

struct Goal {
  std::optional<double> seconds;
  std::string origin = "none";
};

// A rate scales with the inverse of time, so the time to reach is the present one times present ÷ wanted rate.
Goal goal_from(const diagnose::TargetGoal& goal, const std::vector<diagnose::TimedCase>& cases, std::optional<double> best_seconds) {
  const std::string origin = goal.reason.empty() ? "contract" : goal.reason;
  const auto figure = diagnose::figure_of(goal.objective, goal.metric, cases);
  if (!figure || !best_seconds || !(goal.value > 0)) return {};
  const bool lower_is_better = goal.metric == task::Metric::latency;
  const double factor = lower_is_better ? goal.value / *figure : *figure / goal.value;
  return {*best_seconds * factor, origin};
}

}  // namespace

// The command line's target, else the contract's, else 70 % of the binding ceiling, which is said to be derived.
Status Session::choose_target() {
  Goal goal{request_.target_seconds, "command line"};
  if (!goal.seconds && request_.target_choice == TargetChoice::contract_or_derived) {
    HONE_TRY(const auto cases, evidence());
    std::vector<task::BoundCase> bounds;
    for (const task::Case* one : task_->cases_for(task::Purpose::time)) {
      HONE_TRY(auto bound, task::bind_case(*task_, *one));
      bounds.push_back(std::move(bound));
    }
    std::vector<diagnose::TimedCase> timed;
    for (size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].seconds) timed.push_back({&bounds[i], cases[i].floor, *cases[i].seconds});
    }
    goal = {};
    if (const auto wanted = diagnose::goal_of(task_->target, timed)) goal = goal_from(*wanted, timed, best_seconds());
  }
  if (!goal.seconds) goal.origin = "none";
  target_seconds_ = goal.seconds;
  if (goal.seconds) services_.display->note(fmt::format("target: {} ({})", human_time(*goal.seconds), goal.origin));
  return store_->append(campaign::TargetChosen{goal.seconds, goal.origin});
}

}  // namespace hone::loop
