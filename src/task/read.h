// From a folder to a Task, or to a list of diagnostics: what, where (file, line, column), why it matters, what to do.
// Every command that reads a task goes through here, so that the same fault gives the same words. Unknown keys are
// errors. The digest covers task.toml's parsed content in canonical order (comments and layout do not count), and the
// bytes of every oracle, golden and fill file; not the editable sources. docs/task.md, "Digest", states the bytes that
// are hashed. Files are read once; nothing is kept open.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "task/task.h"

namespace hone::task {

struct Diagnostics {
  std::vector<Error> errors;
  std::vector<Error> warnings;
  std::vector<Error> open_questions;  // every "?" of a draft, with where and what would answer it
};

struct ReadTask {
  std::optional<Task> task;  // present when there are no errors and no open questions
  Diagnostics diagnostics;   // each list in the order of the file
};

// `path` is the task's folder or its task.toml.
ReadTask read_task(const std::filesystem::path& path);
// The same of a text that would stand in `file`; the files it names are looked for in that folder.
ReadTask read_task_text(std::string_view text, const std::filesystem::path& file);
// The same as one Result: all errors and open questions as the causes of one contract error.
Result<Task> require_task(const std::filesystem::path& path);
// The same of a task that was read already; `path` is how messages call it.
Result<Task> complete(ReadTask read, const std::filesystem::path& path);

// Whether this hone can build, run and judge the task: an environment error names the part that no backend serves yet.
// Reading such a task is fine; using it is not.
Status supported_here(const Task& task);

}  // namespace hone::task
