#include "views/iteration_log.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "views/markdown.h"
#include "views/words.h"

namespace hone::views {

namespace {

using task::Metric;

bool larger_is_better(Metric metric) { return metric != Metric::latency; }

std::string shown(Metric metric, const Arm& arm) {
  const auto value = metric_value(metric, arm);
  return value ? metric_text(metric, *value) : "-";
}

std::string of_peak(const Arm& arm) {
  const auto fraction = arm.fraction_of_floor();
  return fraction ? fmt::format("{} of peak", percent(*fraction)) : "share of peak unknown";
}

std::string target_line(const Story& story, Metric metric, const Arm& baseline) {
  const auto& session = story.state->session;
  if (!session || !session->target_s) return bullet("Target: none");
  const Arm target = baseline.at(*session->target_s);
  return bullet(
      fmt::format("Target: {} ({}; {})", shown(metric, target), of_peak(target), inline_text(session->target_origin)));
}

// Absolute and as a share of the target, as published: what is missing from the baseline to the target.
std::string gap_line(const Story& story, Metric metric, const Arm& baseline) {
  const auto& session = story.state->session;
  if (!session || !session->target_s) return bullet("Gap: none, there is no target");
  const auto target = metric_value(metric, baseline.at(*session->target_s));
  const auto now = metric_value(metric, baseline);
  if (!target || !now) return bullet("Gap: unknown");
  const double gap = larger_is_better(metric) ? *target - *now : *now - *target;
  if (gap <= 0) return bullet("Gap: none, the baseline meets the target");
  return bullet(fmt::format("Gap: {} ({})", metric_text(metric, gap), percent(gap / *target)));
}

std::string baseline_block(const Story& story, Metric metric, const Arm& baseline) {
  std::string out = heading(2, "Iteration 0 (Baseline)");
  out += bullet("GPU: " + inline_text(device_text(*story.state)));
  if (story.steps.empty()) return out + bullet("Correctness: UNKNOWN, the baseline has not been accepted yet") + "\n";
  out += bullet("Correctness: " + correctness_word(story.baseline()->verdict.outcome));
  out += bullet(fmt::format("{}: {}", metric_name(metric), shown(metric, baseline)));
  out += target_line(story, metric, baseline);
  out += gap_line(story, metric, baseline);
  return out + "\n";
}

std::string correctness_cell(const Attempt& attempt) {
  const campaign::Experiment& experiment = *attempt.experiment;
  return experiment.decided && experiment.candidate ? correctness_word(experiment.decided->outcome) : "-";
}

// What two measurements disagree on is not shown as a number.
bool is_trustworthy(const Attempt& attempt) {
  return attempt.verdict && attempt.experiment->decided->status != campaign::ExperimentStatus::unstable;
}

std::vector<std::string> attempt_row(const Attempt& attempt, Metric metric) {
  const campaign::ExperimentStarted& started = attempt.experiment->started;
  const Arm arm = is_trustworthy(attempt) ? arm_of(attempt.verdict->candidate_times) : Arm{};
  return {std::to_string(started.experiment),
          inline_text(started.change),
          fmt::format("T{}", started.tier),
          correctness_cell(attempt),
          shown(metric, arm),
          delta_text(*attempt.experiment),
          published_status(*attempt.experiment),
          own_status(*attempt.experiment)};
}

std::string log_table(const Story& story, Metric metric, const Arm& baseline) {
  std::vector<std::vector<std::string>> rows;
  if (story.baseline())
    rows.push_back({"0", "baseline", "-", correctness_word(story.baseline()->verdict.outcome), shown(metric, baseline),
                    "-", "-", "BASELINE"});
  for (const Attempt& attempt : story.attempts) rows.push_back(attempt_row(attempt, metric));
  return table({"Iter", "Action", "Tier", "Correctness", "Metric", "Delta", "Status", "hone"}, rows);
}

std::string final_line(const Story& story, Metric metric) {
  const std::string status = campaign_status(*story.state);
  if (!story.best()) return fmt::format("Final: nothing measured, {}.\n", status);
  const Arm best = final_figures(story).best;
  const std::string reason = inline_text(stop_reason(*story.state));
  const uint64_t count = story.state->decided_experiments();
  return fmt::format("Final: {} ({}), {} iteration{}, {}{}.\n", shown(metric, best), of_peak(best), count,
                     count == 1 ? "" : "s", status, reason.empty() ? "" : ": " + reason);
}

}  // namespace

std::string iteration_log(const Story& story) {
  const Arm baseline = story.baseline() ? arm_of(story.baseline()->verdict.candidate_times) : Arm{};
  const Metric metric = metric_in_use(*story.task, baseline);
  std::string out = baseline_block(story, metric, baseline);
  out += heading(
      2, fmt::format("Optimization: {} on {}", inline_text(story.task->name), inline_text(device_name(*story.state))));
  out += log_table(story, metric, baseline);
  return out + "\n" + final_line(story, metric);
}

}  // namespace hone::views
