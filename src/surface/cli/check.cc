#include <fmt/format.h>

#include "surface/cli/asking.h"
#include "task/read.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {{"TASK", false, false, "the task's folder; the present one by default"}};
constexpr OptionRow k_options[] = {{"--contract-only", "", "", "read and validate; build and run nothing"},
                                   k_cores_option,
                                   k_device_option,
                                   k_tape_option};

void print_list(const std::vector<Error>& errors, std::string_view kind) {
  for (const Error& error : errors) print_error(fmt::format("{}: {}", kind, hone::to_text(error)));
}

Error open_questions(const std::vector<Error>& questions) {
  Error error{ErrorCode::contract, fmt::format("{} open question(s): every \"?\" must be answered", questions.size())};
  error.causes = questions;
  return error;
}

Result<int> run(Context& context) {
  const auto word = context.arguments.text("TASK");
  const task::ReadTask read = task::read_task(task_folder(word));
  if (!context.json()) print_list(read.diagnostics.warnings, "warning");
  if (!read.diagnostics.errors.empty() || (!read.task && read.diagnostics.open_questions.empty())) {
    HONE_TRY(const task::Task never, task::require_task(task_folder(word)));
    std::ignore = never;
  }
  if (!read.task) return open_questions(read.diagnostics.open_questions);
  if (context.arguments.has("contract-only")) {
    print(fmt::format("the contract of '{}' is sound ({} cases, digest {})\n", read.task->name, read.task->cases.size(),
                      read.task->digest.short_hex()));
    return 0;
  }
  HONE_CHECK(task::supported_here(*read.task));
  HONE_TRY(const task::Candidate baseline, task::read_candidate(*read.task, read.task->folder));
  HONE_TRY(const Bench bench, open_bench(context, *read.task, Calibration::never));
  HONE_TRY(const judge::JudgingJob job, job_about(*read.task, campaign::Question::admit, baseline, bench));
  HONE_TRY(const auto verdict, ask(context, bench, job));
  return print_verdict(context, verdict);
}

}  // namespace

Command check_command() {
  return {"check",
          "Validates the contract, lists open questions, runs the impostor panel",
          "The baseline must pass its own oracle, and cheap wrong answers (zeros, the mean, a missing tile, half "
          "precision, …) must not.\n"
          "Status 0: the task can be trusted; 1: the baseline is wrong; 2: the contract is at fault.",
          k_arguments,
          k_options,
          run};
}

}  // namespace hone::cli
