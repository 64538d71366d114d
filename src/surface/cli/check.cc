#include "surface/cli/check.h"

#include <fmt/format.h>

#include "base/text.h"
#include "surface/cli/asking.h"
#include "surface/cli/hidden.h"
#include "task/hidden.h"
#include "task/read.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {{"TASK", false, false, "the task's folder; the present one by default"}};
constexpr OptionRow k_options[] = {{"--contract-only", "", "", "read and validate; build and run nothing"},
                                   {"--hidden", "FILE", "",
                                    "hidden cases: checks them for their author and prints the commitment; judged with "
                                    "the others once task.toml holds it"},
                                   k_cores_option,
                                   k_device_option,
                                   k_tape_option};

void print_list(const std::vector<Error>& errors, std::string_view kind) {
  for (const Error& error : errors) print_error(fmt::format("{}: {}", kind, hone::to_text(error)));
}

std::optional<std::string> given(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

std::optional<std::string> place_of(const Error& error) {
  return error.where.empty() ? std::nullopt : std::optional(hone::to_text(error.where));
}

int print_contract(const Context& context, const task::Task& task) {
  ContractDocument document;
  document.name = task.name;
  document.digest = task.digest.hex();
  document.cases = task.cases.size();
  for (const Error& warning : task.warnings)
    document.warnings.push_back({warning.what, place_of(warning), given(warning.why), given(warning.help)});
  if (context.json()) {
    print_json(json::to_text(document));
  } else {
    print(fmt::format("the contract of '{}' is sound ({}, digest {})\n", task.name, counted(task.cases.size(), "case"),
                      task.digest.short_hex()));
  }
  return 0;
}

// A verdict has notes, and no other place for what the contract leaves to be desired.
void add_warnings(const task::Task& task, campaign::Verdict& verdict) {
  for (const Error& warning : task.warnings) {
    std::string note = "contract: " + warning.what;
    if (!warning.why.empty()) note += ": " + warning.why;
    verdict.notes.push_back(std::move(note));
  }
}

Result<int> judge_baseline(Context& context, const task::Task& task) {
  HONE_CHECK(task::supported_here(task));
  HONE_TRY(const task::Candidate baseline, task::read_candidate(task, task.folder));
  HONE_TRY(const Bench bench, open_bench(context, task, Calibration::never));
  HONE_TRY(judge::JudgingJob job, job_about(task, campaign::Question::admit, baseline, bench));
  HONE_TRY(job.hidden_file, hidden_file(context, task, {task.folder}));
  HONE_TRY(campaign::Verdict verdict, ask(context, bench, job));
  add_warnings(task, verdict);
  return print_verdict(context, verdict);
}

Error open_questions(const std::vector<Error>& questions) {
  Error error{ErrorCode::contract,
              counted(questions.size(), "open question"),
              {},
              "a kernel whose result nobody can check is never optimised",
              "answer every \"?\" of the contract, then run the same command again"};
  error.causes = questions;
  return error;
}

bool is_committed(const task::Task& task, const std::string& file) {
  return task.hidden_commitment && task::check_commitment(task, file);
}

// Before the contract commits to the file there is nothing to judge: its author gets the lines for task.toml.
Result<int> print_commitment(const Context& context, const task::Task& task, const std::string& file) {
  HONE_TRY(const std::string text, commitment_text(task, file));
  if (!context.json()) print(text);
  if (is_committed(task, file)) return print_contract(context, task);
  if (task.hidden_commitment) return Error(task::check_commitment(task, file).error());
  return context.json() ? print_contract(context, task) : Result<int>(0);
}

Result<int> run(Context& context) {
  const fs::path folder = task_folder(context.arguments.text("TASK"));
  task::ReadTask read = task::read_task(folder);
  print_list(read.diagnostics.warnings, "warning");
  const task::Diagnostics& found = read.diagnostics;
  if (found.errors.empty() && !found.open_questions.empty()) return open_questions(found.open_questions);
  HONE_TRY(const task::Task task, task::complete(std::move(read), folder));
  const auto hidden = context.arguments.text("hidden");
  const bool judged = !context.arguments.has("contract-only") && (!hidden || is_committed(task, *hidden));
  if (hidden && !judged) return print_commitment(context, task, *hidden);
  return context.arguments.has("contract-only") ? print_contract(context, task) : judge_baseline(context, task);
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
