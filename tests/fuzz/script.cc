// A script of changes: each line is planned and turned into a candidate, or refused at its line.
#include "propose/script.h"

#include "fuzz.h"
#include "task/task_folder_for_tests.h"

using namespace hone;

namespace {

constexpr uint64_t k_most_turns = 8;

Result<propose::ScreenAnswer> no_screen(const std::vector<task::Candidate>&, Nanoseconds) {
  return propose::ScreenAnswer{};
}

void take_turns(propose::Proposer& script, propose::Brief& brief) {
  for (brief.turn = 0; brief.turn <= k_most_turns; ++brief.turn) {
    const auto plan = script.plan(brief);
    if (!plan || !*plan) continue;
    fuzz::require((*plan)->tier >= 1 && (*plan)->tier <= 5, "a plan is of a tier");
    const auto proposal = script.propose(brief, **plan, no_screen);
    fuzz::require(proposal || proposal.error().where.line > 0, "a fault has a line");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const task::TaskFolder folder(task::scale_files());
  static const task::Task task = *task::require_task(folder.path());
  folder.write("script.jsonl", std::string(fuzz::text_of(data, size)));
  const auto script = propose::make_script(folder.path() / "script.jsonl");
  if (!script) {
    fuzz::require(script.error().where.line > 0, "a fault has a line");
    return 0;
  }
  propose::Brief brief;
  brief.task = &task;
  brief.from = *task::read_candidate(task, folder.path());
  take_turns(**script, brief);
  return 0;
}
