// `hone init` on a device kernel that somebody else wrote: the draft is a contract that hone itself can read. The first
// byte chooses the language.
#include "fuzz.h"
#include "task/draft.h"
#include "task/task_folder_for_tests.h"

using namespace hone;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const task::TaskFolder folder(std::map<std::string, std::string>{});
  if (size == 0) return 0;
  const std::string name = data[0] % 2 == 0 ? "kernel.cu" : "kernel.cl";
  folder.write(name, std::string(fuzz::text_of(data + 1, size - 1)));
  task::DraftRequest request;
  request.kernel = folder.path() / name;
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
