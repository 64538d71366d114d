#include "views/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "views/figures.h"
#include "views/markdown.h"
#include "views/words.h"

namespace hone::views {

namespace {

using campaign::CaseTimes;
using campaign::ExperimentStatus;

std::optional<double> scaled(const std::optional<double>& value, double factor) {
  if (!value) return std::nullopt;
  return rounded(*value * factor);
}

std::optional<double> arithmetic_mean(const std::vector<CaseTimes>& times) {
  if (times.empty()) return std::nullopt;
  double sum = 0;
  for (const CaseTimes& one : times) sum += one.p50_s;
  return sum / static_cast<double>(times.size());
}

std::optional<double> change(const std::optional<double>& now, const std::optional<double>& before) {
  if (!now || !before || !(*before > 0)) return std::nullopt;
  return rounded(*now / *before - 1);
}

// Both arms of the comparison that promoted the version: measured together, so that their difference means something.
Deltas deltas_of(const campaign::Verdict& verdict) {
  const Arm now = arm_of(verdict.candidate_times);
  const Arm before = arm_of(verdict.incumbent_times);
  return {change(now.seconds, before.seconds), change(now.tflops(), before.tflops()),
          change(now.gbps(), before.gbps())};
}

// Hidden cases stand in no contract: what was timed beside its cases is one.
uint64_t hidden_among(const std::vector<CaseTimes>& times, const task::Task& task) {
  const auto timed = task.cases_for(task::Purpose::time);
  return static_cast<uint64_t>(std::count_if(times.begin(), times.end(), [&](const CaseTimes& one) {
    return std::none_of(timed.begin(), timed.end(), [&](const task::Case* known) { return known->id == one.case_id; });
  }));
}

void add_latencies(MemoryPerformance& out, const campaign::Verdict& verdict) {
  const Arm arm = arm_of(verdict.candidate_times);
  out.latency_us = out.latency_us_geomean = scaled(arm.seconds, 1e6);
  out.latency_us_arith_mean = scaled(arithmetic_mean(verdict.candidate_times), 1e6);
  for (const CaseTimes& one : verdict.candidate_times) out.latency_us_by_shape[one.case_id] = rounded(one.p50_s * 1e6);
  out.tflops = scaled(arm.tflops(), 1);
  out.bandwidth = scaled(arm.gbps(), 1);
  out.roofline_utilization_pct = scaled(arm.fraction_of_floor(), 100);
}

MemoryPerformance performance_of(const Story& story, const Step& step) {
  MemoryPerformance out;
  add_latencies(out, step.verdict);
  const uint64_t hidden = hidden_among(step.verdict.candidate_times, *story.task);
  out.shape_ids_are_opaque = hidden > 0;
  out.measured_shape_count = step.verdict.candidate_times.size();
  out.expected_shape_count = story.task->cases_for(task::Purpose::time).size() + hidden;
  out.measurement_status =
      out.measured_shape_count == out.expected_shape_count ? "complete" : "not_evaluated_or_incomplete";
  out.comparison_method = step.version->number == 0 ? "none" : "same_allocation_abba";
  if (step.version->number == 0) return out;
  out.comparison_with_previous = deltas_of(step.verdict);
  if (step.verdict.comparison && step.verdict.comparison->speedup)
    out.authoritative_improvement_pct = rounded((*step.verdict.comparison->speedup - 1) * 100);
  return out;
}

std::string decision_word(ExperimentStatus status) {
  if (status == ExperimentStatus::improved || status == ExperimentStatus::target_met) return "promote";
  return status == ExperimentStatus::failed ? "revert" : "reject_and_continue";
}

std::string result_of(const campaign::Decided& decided) {
  const std::string reason = decided.reason.empty() ? "" : ", " + plain_text(decided.reason);
  return fmt::format("{} ({}{})", name_of(decided.status), name_of(decided.outcome), reason);
}

MemoryExperiment experiment_of(const campaign::Experiment& experiment) {
  const campaign::ExperimentStarted& started = experiment.started;
  MemoryExperiment out;
  out.index = started.experiment;
  out.name = plain_text(started.group);
  out.hypothesis = plain_text(started.hypothesis);
  out.change = plain_text(started.change);
  out.evidence = experiment.diagnosis ? plain_text(experiment.diagnosis->reason) : "";
  out.timestamp = experiment.time;
  if (!experiment.decided) return out;
  out.result = result_of(*experiment.decided);
  out.decision = decision_word(experiment.decided->status);
  return out;
}

// Experiments after the version before, up to and including the one that made this version.
std::span<const Attempt> attempts_of(const Story& story, uint64_t number) {
  if (number == 0) return {};
  const uint64_t first = story.steps[number - 1].version->experiment;
  const uint64_t end = std::min<uint64_t>(story.steps[number].version->experiment, story.attempts.size());
  if (end <= first) return {};
  return std::span(story.attempts).subspan(first, end - first);
}

std::string marked_untrusted(std::string_view foreign) {
  return foreign.empty() ? "" : fmt::format("quoted untrusted text: {}", plain_text(foreign));
}

std::optional<Pitfall> pitfall_of(const Attempt& attempt) {
  const auto& decided = attempt.experiment->decided;
  if (!decided || decided->status != ExperimentStatus::failed) return std::nullopt;
  const std::string foreign = attempt.verdict ? attempt.verdict->details : "";
  const std::string lesson = attempt.verdict ? plain_text(attempt.verdict->message) : plain_text(decided->reason);
  return Pitfall{std::string(name_of(decided->outcome)), marked_untrusted(foreign), lesson};
}

void add_experience(Memory& out, const Story& story, uint64_t number) {
  for (const Attempt& attempt : attempts_of(story, number)) {
    out.experience.experiments.push_back(experiment_of(*attempt.experiment));
    if (auto pitfall = pitfall_of(attempt)) out.pitfalls_and_fixes.push_back(std::move(*pitfall));
  }
  out.experience.experiment_count = story.steps[number].version->experiment;
  out.experience.recorded_experiment_count = out.experience.experiments.size();
}

MemoryOptimization optimization_of(const campaign::ExperimentStarted& started) {
  return {fmt::format("tier {}: {}", started.tier, plain_text(started.group)), plain_text(started.change),
          plain_text(started.expected), plain_text(started.decision_rule)};
}

void add_origin(Memory& out, const Story& story, uint64_t experiment) {
  if (experiment == 0 || experiment > story.attempts.size()) return;
  const campaign::Experiment& made_by = *story.attempts[experiment - 1].experiment;
  out.optimization = optimization_of(made_by.started);
  if (!made_by.diagnosis) return;
  const campaign::Diagnosed& diagnosis = *made_by.diagnosis;
  out.profile_evidence = {plain_text(diagnosis.source), plain_text(diagnosis.reason), plain_text(diagnosis.bottleneck)};
}

MemoryCorrectness correctness_of(const campaign::Verdict& verdict) {
  MemoryCorrectness out{correctness_word(verdict.outcome), {}, {}};
  if (!verdict.correctness) return out;
  out.max_abs_err = verdict.correctness->worst_absolute_error;
  out.max_rel_err = verdict.correctness->worst_relative_error;
  return out;
}

}  // namespace

Memory memory_of(const Story& story, uint64_t number) {
  const Step& step = story.steps[number];
  Memory out;
  out.version = fmt::format("v{}", number);
  out.masked = step.version->demoted;
  out.timestamp = step.version->time;
  out.git_commit_hash = step.version->commit;
  out.performance = performance_of(story, step);
  add_origin(out, story, step.version->experiment);
  add_experience(out, story, number);
  out.correctness = correctness_of(step.verdict);
  out.quality_gate = {step.version->demoted ? "demoted" : "pass", plain_text(step.version->demotion)};
  return out;
}

}  // namespace hone::views
