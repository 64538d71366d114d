#include "judge/hidden.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "task/hidden.h"
#include "task/read.h"

namespace hone::judge {

Result<task::Task> contract_of(const JudgingJob& job) {
  HONE_TRY(task::Task task, task::require_task(job.task_folder));
  if (!job.hidden_file) return task;
  return task::with_hidden_cases(std::move(task), *job.hidden_file);
}

Status require_hiding(sandbox::LayerSet layers) {
  if (sandbox::hides_files(layers)) return ok();
  return Error{
      ErrorCode::environment,
      "hidden cases are refused here: nothing would keep their file from a candidate",
      {},
      "this machine grants hone neither a mount namespace nor Landlock, so a candidate sees the machine's files",
      "`hone doctor` says what to allow; without --hidden the public cases are judged"};
}

Failure veiled(Failure failure, const task::BoundCase& bound) {
  if (!bound.hidden) return failure;
  failure.message = fmt::format("the hidden case '{}' fails: {}", bound.id, failure.reason);
  failure.details.clear();
  if (failure.mismatch)
    failure.mismatch = campaign::Mismatch{
        bound.id, failure.mismatch->distribution, failure.mismatch->argument, std::nullopt, "", "", std::nullopt};
  return failure;
}

campaign::Correctness veiled(campaign::Correctness counts, const task::BoundCase& bound) {
  if (!bound.hidden) return counts;
  counts.elements_compared = 0;
  for (auto* worst : {&counts.worst_error_over_bound, &counts.worst_absolute_error, &counts.worst_relative_error})
    worst->reset();
  return counts;
}

Error veiled(Error error, const task::Case& one) {
  if (!one.hidden) return error;
  return {error.code,
          fmt::format("the hidden case '{}' cannot be made ready", one.id),
          {},
          "what is wrong with it is not told here, since it would tell what it is",
          "whoever wrote it: look at what its sizes ask of files, formulas and [limits]"};
}

bool is_hidden(const task::Task& task, const std::string& case_id) {
  return std::any_of(task.cases.begin(), task.cases.end(),
                     [&](const task::Case& one) { return one.hidden && one.id == case_id; });
}

std::string note_on_hidden(const task::Task& task) {
  const auto used = static_cast<uint64_t>(
      std::count_if(task.cases.begin(), task.cases.end(), [](const task::Case& one) { return one.hidden; }));
  if (used > 0) return fmt::format("judged by {} too, known by opaque ids alone", counted(used, "hidden case"));
  return task.hidden_commitment ? "the contract commits to hidden cases, and they were not used" : "";
}

}  // namespace hone::judge
