#include <fmt/format.h>

#include "base/text.h"
#include "views/figures.h"
#include "views/markdown.h"
#include "views/report_sections.h"
#include "views/words.h"

namespace hone::views {

namespace {

std::string target_text(const campaign::State& state) {
  if (!state.session || !state.session->target_s) return "none";
  return fmt::format("{} ({})", human_time(*state.session->target_s), inline_text(state.session->target_origin));
}

std::string status_text(const campaign::State& state) {
  const std::string reason = inline_text(stop_reason(state));
  return campaign_status(state) + (reason.empty() ? "" : ": " + reason);
}

}  // namespace

std::string header_section(const Story& story) {
  const campaign::State& state = *story.state;
  std::string out = heading(1, "Report: " + inline_text(story.task->name));
  if (!story.task->summary.empty()) out += inline_text(story.task->summary, k_text_cap_bytes) + "\n\n";
  out += bullet("Status: " + status_text(state));
  out += bullet("Device: " + inline_text(device_text(state)));
  if (state.opened && !state.opened->device_reason.empty())
    out += bullet("Chosen because: " + inline_text(state.opened->device_reason));
  out += bullet("Task: " + short_digest(story.task->digest.hex()));
  out += bullet("Target: " + target_text(state));
  if (state.session) out += bullet("Proposer: " + inline_text(state.session->proposer));
  return out + "\n";
}

namespace {

std::string proven_text(const FinalFigures& figures, uint64_t version) {
  const bool is_lower_end = *figures.headline < *figures.speedup;
  return fmt::format(
      "v{} is **{}{} as fast** as v0, 95 % interval {}: {} instead of {}, from one direct comparison of the two.",
      version, is_lower_end ? "at least " : "", speedup_text(*figures.headline),
      interval_text(*figures.speedup_interval), optional_time(figures.best.seconds),
      optional_time(figures.baseline.seconds));
}

// Why a direct comparison does not stand: there was none, or it decided nothing.
std::string missing_confirmation(const Story& story) {
  if (!story.confirmation) return "there was no direct comparison of the two";
  const campaign::Verdict& asked = *story.confirmation;
  return fmt::format("their direct comparison is {}{}", name_of(asked.outcome),
                     asked.reason.empty() ? "" : fmt::format(" ({})", inline_text(asked.reason)));
}

std::string unconfirmed_text(const Story& story, const FinalFigures& figures, uint64_t version) {
  return fmt::format(
      "v{} against v0: **not confirmed directly**: {}. Every step below is proven against its parent, and a product of "
      "steps proves nothing. Measured apart: {} and {}.",
      version, missing_confirmation(story), optional_time(figures.best.seconds),
      optional_time(figures.baseline.seconds));
}

std::string stale_text(const Story& story) {
  if (!story.state->rebaselined) return "";
  return fmt::format("\n\nThe campaign was rebaselined at {}; numbers from before are marked and not comparable.",
                     inline_text(*story.state->rebaselined));
}

}  // namespace

std::string proof_section(const Story& story) {
  const FinalFigures figures = final_figures(story);
  const uint64_t version = story.state->incumbent_version;
  if (story.steps.empty()) return "Nothing: the baseline has not been accepted.\n\n";
  if (figures.proof == Proof::direct) return proven_text(figures, version) + stale_text(story) + "\n\n";
  if (figures.proof == Proof::unconfirmed)
    return unconfirmed_text(story, figures, version) + stale_text(story) + "\n\n";
  return fmt::format("No version is proven faster than v0 ({}).{}\n\n", optional_time(figures.baseline.seconds),
                     stale_text(story));
}

namespace {

std::string with_interval(const std::optional<campaign::Comparison>& comparison) {
  if (!comparison || !comparison->speedup || !comparison->speedup_interval) return "-";
  return speedup_text(*comparison->speedup) + " " + interval_text(*comparison->speedup_interval);
}

// Against v0: only what a direct comparison says.
std::string against_baseline(const Story& story, const Step& step) {
  if (step.version->number == 0) return "-";
  if (step.verdict.incumbent == story.baseline()->version->candidate) return with_interval(step.verdict.comparison);
  const bool is_best = step.version->number == story.state->incumbent_version;
  const bool confirmed = is_best && story.confirmation && story.confirmation->outcome == campaign::Outcome::faster;
  return confirmed ? with_interval(story.confirmation->comparison) : "not confirmed directly";
}

std::string version_note(const Story& story, const Step& step) {
  if (step.version->demoted) return "demoted: " + inline_text(step.version->demotion);
  if (!story.is_comparable(step.version->time)) return "before the rebaseline, not comparable";
  return step.version->number == story.state->incumbent_version ? "best" : "";
}

std::vector<std::string> version_row(const Story& story, const Step& step) {
  const uint64_t experiment = step.version->experiment;
  const std::string change = experiment == 0 || experiment > story.attempts.size()
                                 ? "baseline"
                                 : inline_text(story.attempts[experiment - 1].experiment->started.change);
  return {fmt::format("v{}", step.version->number),
          experiment == 0 ? "-" : std::to_string(experiment),
          change,
          optional_time(arm_of(step.verdict.candidate_times).seconds),
          step.version->number == 0 ? "-" : with_interval(step.verdict.comparison),
          against_baseline(story, step),
          short_digest(step.version->commit),
          version_note(story, step)};
}

}  // namespace

std::string versions_section(const Story& story) {
  if (story.steps.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const Step& step : story.steps) rows.push_back(version_row(story, step));
  return table({"Version", "Experiment", "Change", "Time", "Against its parent", "Against v0", "Commit", "Note"},
               rows) +
         "\n";
}

namespace {

std::vector<std::string> time_row(uint64_t version, const campaign::CaseTimes& one) {
  const auto fraction = one.floor_s ? std::optional(*one.floor_s / one.p50_s) : std::nullopt;
  return {fmt::format("v{}", version),
          inline_text(one.case_id),
          human_time(one.p50_s),
          human_time(one.p95_s),
          human_time(one.p99_s),
          optional_time(one.floor_s),
          one.floor_binding ? inline_text(*one.floor_binding) : "-",
          optional_percent(fraction)};
}

}  // namespace

std::string times_section(const Story& story) {
  if (!story.best()) return "";
  const FinalFigures figures = final_figures(story);
  const uint64_t best = story.state->incumbent_version;
  std::vector<std::vector<std::string>> rows;
  for (const campaign::CaseTimes& one : figures.baseline_times) rows.push_back(time_row(0, one));
  for (const campaign::CaseTimes& one : figures.best_times) {
    if (best > 0) rows.push_back(time_row(best, one));
  }
  std::string out =
      fmt::format("Physical floor: {}; the best version reaches {} of it.\n\n", optional_time(figures.best.floor_s),
                  optional_percent(figures.best.fraction_of_floor()));
  return out + table({"Version", "Case", "p50", "p95", "p99", "Floor", "Bound by", "Of floor"}, rows) + "\n";
}

}  // namespace hone::views
