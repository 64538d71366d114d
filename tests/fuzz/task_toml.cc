// A contract, with the files that it may name beside it; what is clean is bound case by case.
#include "fuzz.h"
#include "task/bind.h"
#include "task/task_folder_for_tests.h"

using namespace hone;

namespace {

void check_placed(const std::vector<Error>& faults) {
  for (const Error& fault : faults) {
    fuzz::require(!fault.what.empty(), "a fault says what it is");
    fuzz::require(!fault.where.file.empty(), "a fault says where it is");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const task::TaskFolder folder(task::scale_files());
  const task::ReadTask read = task::read_task_text(fuzz::text_of(data, size), folder.path() / "task.toml");
  const bool clean = read.diagnostics.errors.empty() && read.diagnostics.open_questions.empty();
  fuzz::require(read.task.has_value() == clean, "there is a task, or a reason why not");
  check_placed(read.diagnostics.errors);
  check_placed(read.diagnostics.open_questions);
  if (!read.task) return 0;
  for (const task::Case& one : read.task->cases) {
    const auto bound = task::bind_case(*read.task, one);
    fuzz::require(bound.has_value(), "every case of a clean contract can be bound");
  }
  return 0;
}
