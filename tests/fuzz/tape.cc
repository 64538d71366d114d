// A tape: what is read can answer questions. A comparison is not asked: it simulates its own power, which takes a
// second.
#include "execute/tape.h"

#include "fuzz.h"
#include "task/task_folder_for_tests.h"

using namespace hone;

namespace {

void ask(execute::Executor& executor, const task::TaskFolder& folder, campaign::Question question) {
  static const task::Task task = *task::require_task(folder.path());
  static const task::Candidate v0 = *task::read_candidate(task, folder.path());
  judge::JudgingJob job;
  job.id = "j1";
  job.question = question;
  job.task_folder = folder.path().string();
  job.candidate = judge::to_text(task::with_variant(v0, {{{"ITEMS", "8"}}, {}}));
  job.incumbent = judge::to_text(v0);
  job.screened = {job.candidate};
  const auto verdict = executor.run(job, judge::Observer{});
  if (verdict) std::ignore = json::to_text(*verdict);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const task::TaskFolder folder(task::scale_files());
  static const fuzz::InputFile file;
  auto tape = execute::read_tape(file.write(fuzz::text_of(data, size)));
  if (!tape) {
    fuzz::require(tape.error().where.line > 0, "a fault has a line");
    return 0;
  }
  const auto executor = execute::make_tape_executor(*std::move(tape));
  using enum campaign::Question;
  for (const campaign::Question question : {verify, measure, admit, screen}) ask(*executor, folder, question);
  return 0;
}
