// memory/vN.json: the canonical memory of one version, in the published shape. Fields that hone does not have yet are
// absent. Every text is plain, capped at 2000 bytes; compiler output and the like is marked as quoted untrusted text.
// vN tells of the experiments since the version before. Pure, no failure. docs/views.md lists the fields.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "views/story.h"

namespace hone::views {

struct Deltas {
  std::optional<double> latency_delta;  // fraction of the version before; + is slower
  std::optional<double> tflops_delta;
  std::optional<double> bandwidth_delta;
};

struct MemoryPerformance {
  std::optional<double> latency_us;
  std::optional<double> latency_us_geomean;
  std::optional<double> latency_us_arith_mean;
  std::map<std::string, double> latency_us_by_shape;
  std::string measurement_scope = "real_evaluator_shapes";
  bool shape_ids_are_opaque = false;
  std::string measurement_status;
  uint64_t measured_shape_count = 0;
  uint64_t expected_shape_count = 0;
  std::string measurement_subject = "candidate";
  std::string measurement_source = "authoritative_verification";
  std::string comparison_method;
  std::optional<double> tflops;
  std::optional<double> bandwidth;  // GB/s
  std::optional<double> roofline_utilization_pct;
  std::optional<Deltas> comparison_with_previous;
  std::optional<double> authoritative_improvement_pct;
};

struct MemoryOptimization {
  std::string action_category;
  std::string action_description;
  std::string expected_impact;
  std::string risks_and_rollback;
};

struct MemoryProfile {
  std::string tool_used;
  std::string evidence_summary;
  std::string bottleneck_type;
};

struct MemoryExperiment {
  uint64_t index = 0;
  std::string name;
  std::string hypothesis;
  std::string change;
  std::string evidence;
  std::string result;
  std::string decision;  // "promote", "reject_and_continue", "revert"
  std::string timestamp;
};

struct MemoryExperience {
  uint64_t experiment_count = 0;  // of the campaign up to this version
  uint64_t recorded_experiment_count = 0;
  std::vector<MemoryExperiment> experiments;
};

struct MemoryCorrectness {
  std::string status;  // PASS, FAIL, UNKNOWN, TIMEOUT_FAIL
  std::optional<double> max_abs_err;
  std::optional<double> max_rel_err;
};

struct Pitfall {
  std::string error_type;
  std::string error_message;  // quoted untrusted text
  std::string lesson;
};

struct MemoryGate {
  std::string result;  // "pass", "demoted"
  std::string failure_reason;
};

struct Memory {
  std::string version;  // "v3", as the file is named
  bool masked = false;  // a demoted version is skipped on reading
  std::string timestamp;
  std::string git_commit_hash;
  MemoryPerformance performance;
  std::optional<MemoryOptimization> optimization;
  std::optional<MemoryProfile> profile_evidence;
  MemoryExperience experience;
  MemoryCorrectness correctness;
  std::vector<Pitfall> pitfalls_and_fixes;
  MemoryGate quality_gate;
};

// `number` < story.steps.size().
Memory memory_of(const Story& story, uint64_t number);

}  // namespace hone::views

#include "views/memory_fields.h"
