// The fields of every event in their order on disk; included by event.h alone.
#pragma once

#include "campaign/event.h"

namespace hone {
template <>
struct EnumNames<campaign::ExperimentStatus> {
  using T = campaign::ExperimentStatus;
  static constexpr EnumName<T> table[] = {{T::target_met, "TARGET_MET"}, {T::improved, "IMPROVED"},
                                          {T::regressed, "REGRESSED"},   {T::failed, "FAILED"},
                                          {T::neutral, "NEUTRAL"},       {T::unstable, "unstable"}};
};
template <>
struct EnumNames<campaign::StopStatus> {
  using T = campaign::StopStatus;
  static constexpr EnumName<T> table[] = {{T::target_met, "TARGET_MET"}, {T::max_iterations, "MAX_ITERATIONS"},
                                          {T::plateau, "PLATEAU"},       {T::budget, "BUDGET"},
                                          {T::at_floor, "AT_FLOOR"},     {T::exhausted, "EXHAUSTED"},
                                          {T::failed, "FAILED"},         {T::interrupted, "INTERRUPTED"}};
};
}  // namespace hone

namespace hone::campaign {

template <class A>
void describe(A& a, FileReference& v) {
  a.field("path", v.path);
  a.field("executable", v.executable);
  a.field("blob", v.blob);
}

template <class A>
void describe(A& a, Pins& v) {
  a.field("task_digest", v.task_digest);
  a.field("device_key", v.device_key);
  a.field("device_name", v.device_name);
  a.field("device_uuid", v.device_uuid);
  a.field("cores", v.cores);
  a.field("toolchain", v.toolchain);
  a.field("flags", v.flags);
  a.field("headers", v.headers);
  a.field("rule_digest", v.rule_digest);
  a.field("judge_version", v.judge_version);
  a.field("hone_version", v.hone_version);
  a.field("hidden_cases", v.hidden_cases);
  a.field("device", v.device);
}

template <class A>
void describe(A& a, CampaignOpened& v) {
  a.field("format", v.format);
  a.field("task_name", v.task_name);
  a.field("contract", v.contract);
  a.field("pins", v.pins);
  a.field("device_reason", v.device_reason);
}

template <class A>
void describe(A& a, Rebaselined& v) {
  a.field("pins", v.pins);
}

template <class A>
void describe(A& a, SessionStarted& v) {
  a.field("command", v.command);
  a.field("proposer", v.proposer);
  a.field("pid", v.pid);
  a.field("process_start", v.process_start);
  a.field("iteration_limit", v.iteration_limit);
  a.field("time_limit_s", v.time_limit_s);
  a.field("device_limit_s", v.device_limit_s);
  a.field("target_s", v.target_s);
  a.field("target_origin", v.target_origin);
  a.field("selftest", v.selftest);
}

template <class A>
void describe(A& a, TargetChosen& v) {
  a.field("target_s", v.target_s);
  a.field("origin", v.origin);
}

template <class A>
void describe(A& a, TailTorn& v) {
  a.field("bytes", v.bytes);
  a.field("kept_in", v.kept_in);
}

template <class A>
void describe(A& a, CandidateAdded& v) {
  a.field("candidate", v.candidate);
  a.field("parent", v.parent);
  a.field("origin", v.origin);
  a.field("files", v.files);
  a.field("values", v.values);
  a.field("options", v.options);
  a.field("launches", v.launches);
}

template <class A>
void describe(A& a, Asked& v) {
  a.field("job", v.job);
  a.field("command", v.command);
}

template <class A>
void describe(A& a, Judged& v) {
  a.field("job", v.job);
  a.field("key", v.key);
  a.field("question", v.question);
  a.field("candidate", v.candidate);
  a.field("incumbent", v.incumbent);
  a.field("outcome", v.outcome);
  a.field("reason", v.reason);
  a.field("verdict", v.verdict);
  a.field("candidate_s", v.candidate_s);
  a.field("incumbent_s", v.incumbent_s);
  a.field("speedup", v.speedup);
  a.field("speedup_interval", v.speedup_interval);
  a.field("device_seconds", v.device_seconds);
}

template <class A>
void describe(A& a, BaselineSet& v) {
  a.field("candidate", v.candidate);
  a.field("verdict", v.verdict);
  a.field("tree", v.tree);
  a.field("commit", v.commit);
  a.field("anchor", v.anchor);
  a.field("date_s", v.date_s);
}

template <class A>
void describe(A& a, Diagnosed& v) {
  a.field("candidate", v.candidate);
  a.field("bottleneck", v.bottleneck);
  a.field("source", v.source);
  a.field("confidence", v.confidence);
  a.field("floor_s", v.floor_s);
  a.field("fraction_of_floor", v.fraction_of_floor);
  a.field("tier_order", v.tier_order);
  a.field("reason", v.reason);
  a.field("warnings", v.warnings);
}

template <class A>
void describe(A& a, ExperimentStarted& v) {
  a.field("experiment", v.experiment);
  a.field("parent", v.parent);
  a.field("tier", v.tier);
  a.field("group", v.group);
  a.field("hypothesis", v.hypothesis);
  a.field("change", v.change);
  a.field("expected", v.expected);
  a.field("decision_rule", v.decision_rule);
}

template <class A>
void describe(A& a, SearchStep& v) {
  a.field("candidate", v.candidate);
  a.field("outcome", v.outcome);
  a.field("ratio", v.ratio);
  a.field("values", v.values);
}

template <class A>
void describe(A& a, Searched& v) {
  a.field("experiment", v.experiment);
  a.field("configurations", v.configurations);
  a.field("best", v.best);
  a.field("best_ratio", v.best_ratio);
  a.field("steps", v.steps);
  a.field("device_seconds", v.device_seconds);
}

template <class A>
void describe(A& a, CandidateOffered& v) {
  a.field("experiment", v.experiment);
  a.field("candidate", v.candidate);
}

template <class A>
void describe(A& a, ComparisonCharged& v) {
  a.field("job", v.job);
  a.field("k", v.k);
  a.field("alpha", v.alpha);
  a.field("candidate", v.candidate);
  a.field("incumbent", v.incumbent);
}

template <class A>
void describe(A& a, ComparisonAbandoned& v) {
  a.field("job", v.job);
  a.field("reason", v.reason);
}

template <class A>
void describe(A& a, RoundMeasured& v) {
  a.field("job", v.job);
  a.field("stage", v.stage);
  a.field("index", v.index);
  a.field("gain", v.gain);
  a.field("samples", v.samples);
}

template <class A>
void describe(A& a, Decided& v) {
  a.field("experiment", v.experiment);
  a.field("status", v.status);
  a.field("outcome", v.outcome);
  a.field("reason", v.reason);
  a.field("delta", v.delta);
  a.field("verdict", v.verdict);
}

template <class A>
void describe(A& a, Promoted& v) {
  a.field("version", v.version);
  a.field("experiment", v.experiment);
  a.field("candidate", v.candidate);
  a.field("parent", v.parent);
  a.field("tree", v.tree);
  a.field("commit", v.commit);
  a.field("verdict", v.verdict);
  a.field("anchor", v.anchor);
  a.field("date_s", v.date_s);
}

template <class A>
void describe(A& a, Demoted& v) {
  a.field("version", v.version);
  a.field("to", v.to);
  a.field("reason", v.reason);
}

template <class A>
void describe(A& a, Parked& v) {
  a.field("candidate", v.candidate);
  a.field("experiment", v.experiment);
  a.field("reason", v.reason);
  a.field("enables", v.enables);
  a.field("expected_gain", v.expected_gain);
  a.field("expires_after", v.expires_after);
}

template <class A>
void describe(A& a, Unparked& v) {
  a.field("candidate", v.candidate);
  a.field("reason", v.reason);
}

template <class A>
void describe(A& a, DeadEnd& v) {
  a.field("context", v.context);
  a.field("group", v.group);
  a.field("reason", v.reason);
  a.field("invalidation", v.invalidation);
}

template <class A>
void describe(A& a, BudgetReserved& v) {
  a.field("job", v.job);
  a.field("device_seconds", v.device_seconds);
}

template <class A>
void describe(A& a, BudgetSettled& v) {
  a.field("job", v.job);
  a.field("device_seconds", v.device_seconds);
}

template <class A>
void describe(A& a, FinalConfirmed& v) {
  a.field("candidate", v.candidate);
  a.field("verdict", v.verdict);
  a.field("speedup", v.speedup);
  a.field("speedup_interval", v.speedup_interval);
}

template <class A>
void describe(A& a, Stopped& v) {
  a.field("status", v.status);
  a.field("reason", v.reason);
  a.field("wall_seconds", v.wall_seconds);
  a.field("own_seconds", v.own_seconds);
}

}  // namespace hone::campaign
