#include "surface/cli/campaigns.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {{"TASK", false, false, "the task's folder; the present one by default"}};

Result<int> run(Context& context) { return run_campaign(context, context.arguments.text("TASK")); }

}  // namespace

Command run_command() {
  return {"run",
          "Runs the whole loop: baseline, experiments, proof, report",
          "The campaign is kept in NAME.hone beside the task. Ctrl-C saves; `hone resume` goes on, and so does the "
          "same command again.\n"
          "It ends with 0 at any stop rule; the summary says what was proven.",
          k_arguments,
          campaign_options(),
          run};
}

}  // namespace hone::cli
