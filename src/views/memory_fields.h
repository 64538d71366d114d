// The fields of memory/vN.json in their order; included by memory.h alone.
#pragma once

#include "views/memory.h"

namespace hone::views {

template <class A>
void describe(A& a, Deltas& v) {
  a.field("latency_delta", v.latency_delta);
  a.field("tflops_delta", v.tflops_delta);
  a.field("bandwidth_delta", v.bandwidth_delta);
}

template <class A>
void describe(A& a, MemoryPerformance& v) {
  a.field("latency_us", v.latency_us);
  a.field("latency_us_geomean", v.latency_us_geomean);
  a.field("latency_us_arith_mean", v.latency_us_arith_mean);
  a.field("latency_us_by_shape", v.latency_us_by_shape);
  a.field("measurement_scope", v.measurement_scope);
  a.field("shape_ids_are_opaque", v.shape_ids_are_opaque);
  a.field("measurement_status", v.measurement_status);
  a.field("measured_shape_count", v.measured_shape_count);
  a.field("expected_shape_count", v.expected_shape_count);
  a.field("measurement_subject", v.measurement_subject);
  a.field("measurement_source", v.measurement_source);
  a.field("comparison_method", v.comparison_method);
  a.field("tflops", v.tflops);
  a.field("bandwidth", v.bandwidth);
  a.field("roofline_utilization_pct", v.roofline_utilization_pct);
  a.field("comparison_with_previous", v.comparison_with_previous);
  a.field("authoritative_improvement_pct", v.authoritative_improvement_pct);
}

template <class A>
void describe(A& a, MemoryOptimization& v) {
  a.field("action_category", v.action_category);
  a.field("action_description", v.action_description);
  a.field("expected_impact", v.expected_impact);
  a.field("risks_and_rollback", v.risks_and_rollback);
}

template <class A>
void describe(A& a, MemoryProfile& v) {
  a.field("tool_used", v.tool_used);
  a.field("evidence_summary", v.evidence_summary);
  a.field("bottleneck_type", v.bottleneck_type);
}

template <class A>
void describe(A& a, MemoryExperiment& v) {
  a.field("index", v.index);
  a.field("name", v.name);
  a.field("hypothesis", v.hypothesis);
  a.field("change", v.change);
  a.field("evidence", v.evidence);
  a.field("result", v.result);
  a.field("decision", v.decision);
  a.field("timestamp", v.timestamp);
}

template <class A>
void describe(A& a, MemoryExperience& v) {
  a.field("experiment_count", v.experiment_count);
  a.field("recorded_experiment_count", v.recorded_experiment_count);
  a.field("experiments", v.experiments);
}

template <class A>
void describe(A& a, MemoryCorrectness& v) {
  a.field("status", v.status);
  a.field("max_abs_err", v.max_abs_err);
  a.field("max_rel_err", v.max_rel_err);
}

template <class A>
void describe(A& a, Pitfall& v) {
  a.field("error_type", v.error_type);
  a.field("error_message", v.error_message);
  a.field("lesson", v.lesson);
}

template <class A>
void describe(A& a, MemoryGate& v) {
  a.field("result", v.result);
  a.field("failure_reason", v.failure_reason);
}

template <class A>
void describe(A& a, Memory& v) {
  a.field("version", v.version);
  a.field("masked", v.masked);
  a.field("timestamp", v.timestamp);
  a.field("git_commit_hash", v.git_commit_hash);
  a.field("performance", v.performance);
  a.field("optimization", v.optimization);
  a.field("profile_evidence", v.profile_evidence);
  a.field("experience", v.experience);
  a.field("correctness", v.correctness);
  a.field("pitfalls_and_fixes", v.pitfalls_and_fixes);
  a.field("quality_gate", v.quality_gate);
}

}  // namespace hone::views
