#include "report/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "views/markdown.h"
#include "views/report_page.h"
#include "views/words.h"

namespace hone::report {

namespace {

std::optional<double> rounded(const std::optional<double>& value) {
  return value ? std::optional(views::rounded(*value)) : std::nullopt;
}

VersionSummary summarize_version(const views::Step& step) {
  VersionSummary out;
  out.version = fmt::format("v{}", step.version->number);
  out.candidate = step.version->candidate;
  out.commit = step.version->commit;
  out.experiment = step.version->experiment;
  out.demoted = step.version->demoted;
  out.seconds = rounded(campaign::summary_seconds(step.verdict.candidate_times));
  if (!step.verdict.comparison) return out;
  out.speedup = step.verdict.comparison->speedup;
  out.speedup_interval = step.verdict.comparison->speedup_interval;
  return out;
}

void add_identity(Summary& out, const views::Story& story) {
  const campaign::State& state = *story.state;
  out.task = views::line_text(story.task->name);
  out.task_digest = story.task->digest.hex();
  out.device = views::line_text(views::device_name(state));
  if (state.pins) out.device_key = state.pins->device_key;
  out.status = views::campaign_status(state);
  out.reason = views::line_text(views::stop_reason(state));
  out.go_on = views::command_to_go_on(state);
  out.log = {state.sequence, state.head};
  out.target_origin = "none";
  if (!state.session || !state.session->target_s) return;
  out.target_s = rounded(state.session->target_s);
  out.target_origin = views::line_text(state.session->target_origin);
}

void add_result(Summary& out, const views::Story& story) {
  const views::FinalFigures figures = views::final_figures(story);
  out.proof = figures.proof;
  out.baseline_s = rounded(figures.baseline.seconds);
  out.final_s = rounded(figures.best.seconds);
  out.speedup = figures.speedup;
  out.speedup_interval = figures.speedup_interval;
  out.headline_speedup = figures.headline;
  out.floor_s = rounded(figures.best.floor_s);
  out.fraction_of_floor = rounded(figures.best.fraction_of_floor());
  out.improved = story.state->incumbent_version > 0;
  if (!story.best()) return;
  out.best = fmt::format("v{}", story.best()->version->number);
  out.best_candidate = story.best()->version->candidate;
  out.trust = story.best()->verdict.trust;
  out.layers = story.best()->verdict.layers;
}

void add_noise(Summary& out, const views::Story& story) {
  for (const views::Attempt& attempt : story.attempts) {
    if (!attempt.verdict || !attempt.verdict->comparison) continue;
    out.round_noise = attempt.verdict->comparison->round_noise;
    out.smallest_promotable_gain = attempt.verdict->comparison->smallest_promotable_gain;
  }
}

void add_costs(Summary& out, const campaign::State& state) {
  out.experiments = state.decided_experiments();
  out.promotions = state.versions.empty() ? 0 : state.versions.size() - 1;
  out.demotions = static_cast<uint64_t>(
      std::count_if(state.versions.begin(), state.versions.end(), [](const auto& version) { return version.demoted; }));
  out.comparisons = state.comparisons;
  out.sessions = state.sessions;
  out.device_seconds = state.spent_device_seconds;
  out.wall_seconds = state.wall_seconds;
  out.own_seconds = state.own_seconds;
  if (state.wall_seconds > 0) out.own_time_fraction = state.own_seconds / state.wall_seconds;
}

}  // namespace

Result<Summary> summarize(const campaign::State& state, const task::Task& task, const views::ReadBlob& read_blob) {
  HONE_TRY(const views::Story story, views::read_story(state, task, read_blob));
  Summary out;
  add_identity(out, story);
  add_result(out, story);
  add_noise(out, story);
  add_costs(out, state);
  for (const views::Step& step : story.steps) out.versions.push_back(summarize_version(step));
  return out;
}

namespace {

std::string speedup_words(const Summary& summary) {
  if (summary.speedup && summary.speedup_interval)
    return fmt::format("{} {}", views::speedup_text(*summary.headline_speedup),
                       views::interval_text(*summary.speedup_interval));
  return summary.proof == views::Proof::unconfirmed ? std::string(name_of(summary.proof)) : "-";
}

std::string version_line(const VersionSummary& version) {
  const std::string step = version.speedup && version.speedup_interval
                               ? fmt::format(", {} {} against its parent", views::speedup_text(*version.speedup),
                                             views::interval_text(*version.speedup_interval))
                               : "";
  return fmt::format("  {}: {}{}{}\n", version.version, views::optional_time(version.seconds), step,
                     version.demoted ? ", demoted" : "");
}

// The times are medians over all launches, the speed-up is the paired estimate: on a noisy machine they differ.
std::string result_line(const Summary& summary) {
  if (!summary.improved)
    return fmt::format("Time: {}, no version is proven faster\n", views::optional_time(summary.baseline_s));
  return fmt::format("Time: {} to {} (medians), {} against v0: {}\n", views::optional_time(summary.baseline_s),
                     views::optional_time(summary.final_s), summary.best, speedup_words(summary));
}

std::string cost_line(const Summary& summary) {
  const std::string own =
      summary.own_time_fraction ? fmt::format(", own time {}", percent(*summary.own_time_fraction)) : std::string();
  return fmt::format("Cost: {} experiments, {} comparisons, {} of device time, {} in all{}\n", summary.experiments,
                     summary.comparisons, human_time(summary.device_seconds), human_time(summary.wall_seconds), own);
}

}  // namespace

std::string to_text(const Summary& summary) {
  const std::string reason = summary.reason.empty() ? "" : ": " + summary.reason;
  std::string out = fmt::format("{} on {}\n", summary.task, summary.device);
  out += fmt::format("Status: {}{}\n", summary.status, reason);
  out += result_line(summary);
  out += fmt::format("Floor: {}, reached {}\n", views::optional_time(summary.floor_s),
                     views::optional_percent(summary.fraction_of_floor));
  if (summary.target_s) out += fmt::format("Target: {} ({})\n", human_time(*summary.target_s), summary.target_origin);
  for (const VersionSummary& version : summary.versions) out += version_line(version);
  out += cost_line(summary);
  return out + (summary.go_on.empty() ? "" : fmt::format("To go on: {}\n", summary.go_on));
}

std::string to_table(std::span<const Summary> summaries) {
  std::vector<std::vector<std::string>> rows{{"task", "baseline", "final", "speed-up [95 %]", "of floor", "status"}};
  for (const Summary& one : summaries) {
    rows.push_back({one.task, views::optional_time(one.baseline_s), views::optional_time(one.final_s),
                    speedup_words(one), views::optional_percent(one.fraction_of_floor), one.status});
  }
  return align_table(rows);
}

}  // namespace hone::report
