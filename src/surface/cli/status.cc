#include "surface/cli/status.h"

#include <fmt/format.h>

#include "base/text.h"
#include "surface/cli/reports.h"
#include "surface/cli/workplace.h"
#include "views/figures.h"
#include "views/report_page.h"
#include "views/words.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {
    {"TASK", false, false, "the task's or the campaign's folder; the present one by default"}};
constexpr size_t k_shown_bytes = 200;

// The latest time that any judging gave for a candidate since the numbers are comparable.
std::optional<double> last_seconds(const campaign::State& state, const std::string& candidate) {
  std::optional<double> seconds;
  for (const campaign::Judged& judged : state.judgements) {
    if (judged.candidate == candidate && judged.candidate_s) seconds = judged.candidate_s;
    if (judged.incumbent == candidate && judged.incumbent_s) seconds = judged.incumbent_s;
  }
  return seconds;
}

void tell_best(const campaign::State& state, StatusDocument& document) {
  if (state.versions.empty()) return;
  const campaign::Version& best = *state.incumbent();
  document.best = fmt::format("v{}", best.number);
  document.best_candidate = best.candidate;
  document.baseline_s = last_seconds(state, state.versions.front().candidate);
  document.best_s = last_seconds(state, best.candidate);
  const DirectGain gain = gain_over_baseline(state, best);
  document.speedup = gain.speedup;
  document.speedup_interval = gain.interval;
}

void tell_work(const campaign::State& state, StatusDocument& document) {
  document.versions = state.versions.size();
  document.experiments = state.decided_experiments();
  document.comparisons = state.comparisons;
  document.parked = state.parked.size();
  document.dead_ends = state.dead_ends.size();
  document.device_seconds = state.spent_device_seconds;
  document.wall_seconds = state.wall_seconds;
  if (state.open_comparison) document.rounds = state.open_comparison->rounds.size();
  if (const campaign::Experiment* open = state.open_experiment()) {
    document.open_experiment = OpenExperiment{open->started.experiment, open->started.tier, open->started.change,
                                              open->candidate ? "judging" : "searching"};
  }
}

std::string time_line(const StatusDocument& document) {
  if (document.best.empty()) return "no baseline yet\n";
  std::string line = fmt::format("best: {} at {}, baseline {}", document.best, views::optional_time(document.best_s),
                                 views::optional_time(document.baseline_s));
  if (document.speedup) line += fmt::format(", proven {} as fast", views::speedup_text(*document.speedup));
  if (document.speedup_interval) line += " " + views::interval_text(*document.speedup_interval);
  return line + "\n";
}

std::string shown(const std::string& text) { return quote_untrusted(text, k_shown_bytes); }

std::string work_lines(const StatusDocument& document) {
  std::string text = fmt::format("done: {}, {}, {}, {} parked, {}, {:.1f} s of device time\n",
                                 counted(document.experiments, "experiment"), counted(document.versions, "version"),
                                 counted(document.comparisons, "comparison"), document.parked,
                                 counted(document.dead_ends, "dead end"), document.device_seconds);
  if (const auto& open = document.open_experiment)
    text += fmt::format("now: experiment {} (tier {}), {}: {}\n", open->experiment, open->tier, open->phase,
                        shown(open->change));
  if (document.rounds > 0)
    text += fmt::format("now: a comparison with {} measured\n", counted(document.rounds, "round"));
  return text;
}

Result<int> status(Context& context) {
  const fs::path folder = campaign_folder(context, context.arguments.text("TASK"));
  HONE_TRY(const loop::ReadOnly log, loop::read_campaign(folder));
  const StatusDocument document = status_of(log, folder, record::holder_of(folder / "lock"));
  context.json() ? print_json(json::to_text(document)) : print(to_text(document));
  return 0;
}

}  // namespace

StatusDocument status_of(const loop::ReadOnly& log, const fs::path& folder,
                         const std::optional<record::LockNote>& holder) {
  const campaign::State& state = log.state;
  StatusDocument document;
  document.task = state.opened ? state.opened->task_name : "";
  document.campaign = folder.string();
  document.status = views::campaign_status(state);
  document.reason = views::stop_reason(state);
  if (holder) document.at_work = AtWork{holder->owner.pid, holder->since, holder->command};
  document.device = views::device_name(state);
  tell_best(state, document);
  tell_work(state, document);
  document.events = log.head.lines;
  document.head = log.head.hash.hex();
  document.torn_bytes = log.torn_bytes;
  if (!holder) document.next = in_campaign(views::command_to_go_on(state), folder);
  return document;
}

std::string to_text(const StatusDocument& document) {
  std::string text = fmt::format("{}: {}", document.task, document.status);
  if (!document.reason.empty()) text += fmt::format(" ({})", shown(document.reason));
  text += document.at_work
              ? fmt::format(", process {} is at work since {}\n", document.at_work->pid, document.at_work->since)
              : "\n";
  text += time_line(document) + work_lines(document);
  if (document.torn_bytes > 0 && !document.at_work)
    text += fmt::format("the log ends in {} of a line that was cut short; they are set aside when hone goes on\n",
                        counted(document.torn_bytes, "byte"));
  if (!document.next.empty()) text += fmt::format("next: {}\n", document.next);
  return text;
}

Command status_command() {
  return {"status",
          "Where a campaign stands: best version, experiments, what is being done now",
          "Reads the log alone and may be asked while another hone works.",
          k_arguments,
          {},
          status};
}

}  // namespace hone::cli
