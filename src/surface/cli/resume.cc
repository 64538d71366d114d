#include "surface/cli/campaigns.h"
#include "surface/cli/workplace.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {{"TASK", false, false, "the task's folder; the present one by default"}};

Result<int> resume(Context& context) {
  const auto task = context.arguments.text("TASK");
  const fs::path campaign = campaign_folder(context, task);
  if (!path_exists(campaign / "log.jsonl"))
    return Error{ErrorCode::usage,
                 "there is no campaign in " + campaign.string() + " to resume",
                 {},
                 "",
                 "start one with `hone run TASK`"};
  return run_campaign(context, task);
}

}  // namespace

Command resume_command() {
  return {"resume",
          "Goes on with a campaign where it stopped or died",
          "An interrupted comparison continues from its recorded rounds under the same error budget.",
          k_arguments,
          resume_options(),
          resume};
}

}  // namespace hone::cli
