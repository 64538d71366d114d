#include "surface/cli/tune.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "propose/tuner.h"
#include "surface/cli/asking.h"
#include "task/read.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {{"TASK", false, false, "the task's folder; the present one by default"}};
constexpr OptionRow k_options[] = {
    {"--time", "DURATION", "60s", "time to spend", "some hundred screens of a short kernel"},
    {"--write", "", "", "write the best configuration to the task's variant.toml"},
    k_cores_option,
    k_device_option,
    k_clocks_option,
    k_tape_option};

propose::Screener screener_over(const Context& context, const Bench& bench, const task::Task& task,
                                const task::Candidate& incumbent) {
  return [&context, &bench, &task, incumbent](const std::vector<task::Candidate>& candidates,
                                              Nanoseconds limit) -> Result<propose::ScreenAnswer> {
    HONE_TRY(judge::JudgingJob job, job_about(task, campaign::Question::screen, candidates.front(), bench));
    job.incumbent = judge::to_text(incumbent);
    job.time_limit_s = to_seconds(limit);
    for (const task::Candidate& candidate : candidates) job.screened.push_back(judge::to_text(candidate));
    HONE_TRY(const campaign::Verdict verdict, ask(context, bench, job));
    if (verdict.outcome == campaign::Outcome::incumbent_wrong)
      return Error{ErrorCode::refused,
                   "the configuration that the others are held against fails: " + verdict.message,
                   {},
                   "ratios to a wrong kernel mean nothing",
                   "`hone verify` says what is wrong with it"};
    return propose::ScreenAnswer{verdict.screened, verdict.device_seconds};
  };
}

// Group after group of declared parameters, each from the best so far.
Result<task::Candidate> search(const Context& context, const Bench& bench, const task::Task& task, task::Candidate best,
                               Nanoseconds limit, TuneDocument& document) {
  const auto tuner = propose::make_tuner();
  const Nanoseconds until = context.clock->now() + limit;
  for (const int tier : {1, 2, 3, 4, 5}) {
    propose::Brief brief;
    brief.task = &task;
    brief.from = best;
    brief.tier_order = {tier};
    brief.experiment = static_cast<uint64_t>(tier);
    brief.time_left = until - context.clock->now();
    if (*brief.time_left <= Nanoseconds(0)) break;
    const propose::Plan plan{tier, fmt::format("tunables/{}", tier), "", "", ""};
    HONE_TRY(const propose::Proposal proposal, tuner->propose(brief, plan, screener_over(context, bench, task, best)));
    for (const campaign::SearchStep& step : proposal.steps)
      document.steps.push_back({plan.group, step.values, step.outcome, step.ratio});
    if (proposal.candidate) best = *proposal.candidate;
  }
  document.configurations = document.steps.size();
  return best;
}

std::string to_text(const TuneDocument& document) {
  std::vector<std::vector<std::string>> rows{{"group", "change", "time", "outcome"}};
  for (const TuneRow& row : document.steps)
    rows.push_back({row.group, row.change, row.ratio ? fmt::format("{:.3f} ×", *row.ratio) : "-", row.outcome});
  std::string best;
  for (const auto& [name, value] : document.best_values) best += fmt::format(" {}={}", name, value);
  return align_table(rows) +
         fmt::format("best of {} configurations:{}\nthese are rough ratios; `hone run` proves them\n",
                     document.configurations, best.empty() ? " the defaults" : best);
}

Result<int> run(Context& context) {
  HONE_TRY(const auto limit, context.arguments.duration("time"));
  HONE_TRY(const task::Task task, task::require_task(task_folder(context.arguments.text("TASK"))));
  HONE_CHECK(task::supported_here(task));
  HONE_TRY(const task::Candidate start, task::read_candidate(task, task.folder));
  HONE_TRY(const Bench bench, open_bench(context, task, Calibration::never));
  TuneDocument document;
  document.task = task.name;
  HONE_TRY(const task::Candidate best,
           search(context, bench, task, start, limit.value_or(std::chrono::seconds(60)), document));
  document.best_values = best.variant.values;
  if (context.arguments.has("write"))
    HONE_CHECK(write_file(*context.disk, task.folder / "variant.toml", task::canonical_text(best.variant)));
  if (context.json()) {
    print_json(json::to_text(document));
  } else {
    print(to_text(document));
  }
  return 0;
}

}  // namespace

Command tune_command() {
  return {"tune",
          "Searches the declared parameters alone, tier by tier, with rough paired ratios",
          "Nothing is decided or promoted; every configuration is checked once against the oracle.",
          k_arguments,
          k_options,
          run};
}

}  // namespace hone::cli
