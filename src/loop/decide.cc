#include "loop/decide.h"

#include <cmath>

namespace hone::loop {

namespace {

using campaign::ExperimentStatus;
using campaign::Outcome;
using campaign::Verdict;

bool meets(const Verdict& verdict, std::optional<double> target_seconds) {
  const auto seconds = campaign::summary_seconds(verdict.candidate_times);
  return target_seconds && seconds && *seconds <= *target_seconds;
}

ExperimentStatus status_of_slower(const Verdict& verdict) {
  const auto& comparison = verdict.comparison;
  const bool below = comparison && comparison->gain_interval && comparison->gain_interval->high < 0;
  return below ? ExperimentStatus::regressed : ExperimentStatus::neutral;
}

ExperimentStatus status_of(const Verdict& verdict, std::optional<double> target_seconds) {
  if (verdict.outcome == Outcome::faster)
    return meets(verdict, target_seconds) ? ExperimentStatus::target_met : ExperimentStatus::improved;
  if (verdict.outcome == Outcome::not_faster) return status_of_slower(verdict);
  if (verdict.outcome == Outcome::inconclusive)
    return verdict.reason == "unstable" ? ExperimentStatus::unstable : ExperimentStatus::neutral;
  if (verdict.outcome == Outcome::incumbent_wrong)
    return ExperimentStatus::neutral;  // it says nothing of the candidate
  return ExperimentStatus::failed;
}

}  // namespace

Decision decide(const Verdict& verdict, std::optional<double> target_seconds) {
  Decision decision{status_of(verdict, target_seconds), verdict.reason, std::nullopt};
  const bool unstable = decision.status == ExperimentStatus::unstable;  // a number that did not come back is not shown
  if (!unstable && verdict.comparison && verdict.comparison->gain)
    decision.delta = std::expm1(*verdict.comparison->gain);
  return decision;
}

}  // namespace hone::loop
