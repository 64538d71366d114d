// `hone init` on a file that somebody else wrote: the draft is a contract that hone itself can read.
#include "task/draft.h"

#include "fuzz.h"
#include "task/task_folder_for_tests.h"

using namespace hone;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const task::TaskFolder folder({{"kernel.cpp", ""}});
  folder.write("kernel.cpp", std::string(fuzz::text_of(data, size)));
  task::DraftRequest request;
  request.kernel = folder.path() / "kernel.cpp";
  const auto draft = task::draft_task(request);
  if (!draft) {
    fuzz::require(!draft.error().what.empty(), "a fault says what it is");
    return 0;
  }
  const task::ReadTask read = task::read_task_text(draft->toml, folder.path() / "task.toml");
  fuzz::require(read.diagnostics.errors.empty(), "a draft has open questions, never faults");
  fuzz::require(read.diagnostics.open_questions.size() == draft->open_questions.size(),
                "it tells all of its questions");
  return 0;
}
