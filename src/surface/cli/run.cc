#include <fmt/format.h>

#include "base/text.h"
#include "surface/cli/campaigns.h"
#include "surface/cli/init.h"
#include "surface/cli/workplace.h"
#include "task/read.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {
    {"TASK", false, false, "the task's folder, or a bare kernel file; the present folder by default"}};

Error open_questions(const fs::path& file, const std::vector<std::string>& questions) {
  Error error{ErrorCode::contract,
              fmt::format("{} in the drafted contract", counted(questions.size(), "open question")),
              {file.string(), 0, 0},
              "a kernel whose result nobody can check is never optimised",
              "answer every \"?\" there, then run the same command again"};
  for (const std::string& question : questions) error.causes.push_back({ErrorCode::contract, question});
  return error;
}

// A bare kernel has no contract yet: it is drafted, shown, and has to be whole before anything is optimised.
Status draft_first(const Context& context, const fs::path& kernel) {
  HONE_TRY(const task::DraftRequest request, draft_request(context.arguments, kernel));
  HONE_TRY(const task::Draft draft, write_draft(context, request));
  const fs::path file = task_folder(kernel.string()) / "task.toml";
  if (!context.json()) print_error(fmt::format("hone: drafted {}:\n\n{}\n", file.string(), draft.toml));
  if (draft.open_questions.empty()) return ok();
  return open_questions(file, draft.open_questions);
}

bool is_bare_kernel(const std::optional<std::string>& word) {
  return word && fs::is_regular_file(*word) && !path_exists(task_folder(word) / "task.toml");
}

// A contract that is there is not drafted again, since it may be the user's own work. Whole, it makes the same command
// go on; with open questions the options would have answered them, and nobody shall wonder why they did not.
Status nothing_to_draft(const Context& context, const std::optional<std::string>& word) {
  const bool given = context.arguments.has("dims") || context.arguments.has("reference");
  const fs::path file = task_folder(word) / "task.toml";
  if (!given || !path_exists(file)) return ok();
  if (task::read_task(task_folder(word)).task) {
    print_error("hone: a contract is there; --dims and --reference are not used\n");
    return ok();
  }
  return Error{ErrorCode::usage,
               "--dims and --reference draft a contract, and one is there",
               {file.string(), 0, 0},
               "it may hold your own work and is not replaced",
               "leave them out; or draft it anew: hone init KERNEL --force with them, then run"};
}

Result<int> run(Context& context) {
  const auto word = context.arguments.text("TASK");
  HONE_CHECK(nothing_to_draft(context, word));
  if (is_bare_kernel(word)) HONE_CHECK(draft_first(context, *word));
  return run_campaign(context, word);
}

}  // namespace

Command run_command() {
  return {"run",
          "Runs the whole loop: baseline, experiments, proof, report",
          "The campaign is kept in NAME.hone beside the task. Ctrl-C saves; `hone resume` goes on, and so does the "
          "same command again.\n"
          "A bare kernel file gets a drafted task.toml first; while that leaves questions open, run stops with 2.\n"
          "It ends with 0 at any stop rule; the summary says what was proven.",
          k_arguments,
          run_options(),
          run};
}

}  // namespace hone::cli
