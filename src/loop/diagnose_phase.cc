// The diagnose phase: what bounds the incumbent, from its measured times and the contract's roofline, and the target
// that follows.
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

constexpr std::string_view k_none = "none";

struct Goal {
  std::optional<double> seconds;
  std::string origin = std::string(k_none);
};

// A rate scales with the inverse of time, so the time to reach is the present one times present ÷ wanted rate.
Goal goal_from(const diagnose::TargetGoal& goal, const std::vector<diagnose::TimedCase>& cases,
               std::optional<double> best_seconds) {
  const std::string origin = goal.reason.empty() ? "contract" : goal.reason;
  const auto figure = diagnose::figure_of(goal.objective, goal.metric, cases);
  if (!figure || !best_seconds || !(goal.value > 0)) return {};
  const bool lower_is_better = goal.metric == task::Metric::latency;
  const double factor = lower_is_better ? goal.value / *figure : *figure / goal.value;
  return {*best_seconds * factor, origin};
}

// What is derived from one ceiling may lie below the floor, which holds the empty launch as well.
campaign::TargetChosen within_reach(const Goal& goal, const std::optional<double>& floor_s) {
  if (!goal.seconds) return {std::nullopt, std::string(k_none)};
  const bool below = floor_s && goal.origin != "contract" && *goal.seconds < *floor_s;
  if (!below) return {goal.seconds, goal.origin};
  return {floor_s, fmt::format("the physical floor: {} lies below it", goal.origin)};
}

constexpr std::string_view k_asked = "asked";
constexpr std::string_view k_typed = "command line";

// The contract's goal, else 70 % of the binding ceiling, which is said to be derived.
Result<Goal> contract_or_derived(const task::Task& task, const std::vector<diagnose::CaseEvidence>& cases,
                                 std::optional<double> best_seconds) {
  std::vector<task::BoundCase> bounds;
  for (const task::Case* one : task.cases_for(task::Purpose::time)) {
    HONE_TRY(auto bound, task::bind_case(task, *one));
    bounds.push_back(std::move(bound));
  }
  std::vector<diagnose::TimedCase> timed;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].seconds) timed.push_back({&bounds[i], cases[i].floor, *cases[i].seconds});
  }
  const auto wanted = diagnose::goal_of(task.target, timed);
  return wanted ? goal_from(*wanted, timed, best_seconds) : Goal{};
}

}  // namespace

// Asked once in a campaign, and only where nothing says what to reach.
std::optional<campaign::TargetChosen> Session::asked_target() {
  if (request_.target_choice == TargetChoice::none || task_->target.value) return std::nullopt;
  if (state().target) return state().target->origin == k_asked ? state().target : std::nullopt;
  const auto answer = services_.display->ask_target(best_seconds());
  if (!answer) return std::nullopt;
  return campaign::TargetChosen{answer->seconds, std::string(k_asked)};
}

// What was typed for the interrupted session, unless this one says otherwise.
std::optional<campaign::TargetChosen> Session::kept_target() const {
  if (!target_before_ || request_.target_choice == TargetChoice::none) return std::nullopt;
  const bool typed = target_before_->origin == k_typed || target_before_->origin == k_none;
  return typed ? target_before_ : std::nullopt;
}

// The command line's target, else what a person answered, else the contract's or the derived one.
Status Session::choose_target() {
  campaign::TargetChosen chosen{request_.target_seconds, std::string(k_typed)};
  if (!chosen.target_s) {
    if (const auto kept = kept_target()) {
      chosen = *kept;
    } else if (const auto asked = asked_target()) {
      chosen = *asked;
    } else {
      HONE_TRY(const auto cases, evidence());
      Goal goal;
      if (request_.target_choice == TargetChoice::contract_or_derived) {
        HONE_TRY(goal, contract_or_derived(*task_, cases, best_seconds()));
      }
      chosen = within_reach(goal, state().diagnosis ? state().diagnosis->floor_s : std::nullopt);
    }
  }
  target_seconds_ = chosen.target_s;
  if (chosen.target_s)
    services_.display->note(fmt::format("target: {} ({})", human_time(*chosen.target_s), chosen.origin));
  return store_->append(std::move(chosen));
}

}  // namespace hone::loop
