// Reading a campaign for people: from its log and blobs alone, without its lock, on any machine.
// Failure: usage when there is no campaign, refused for a broken log, as views::read_story for a blob that is gone.
#pragma once

#include "loop/store.h"
#include "report/summary.h"
#include "surface/cli/command.h"
#include "task/task.h"

namespace hone::cli {

// A campaign as its log tells it, the contract it works under, and its blobs.
struct ReadCampaign {
  fs::path folder;
  loop::ReadOnly log;
  task::Task task;
  views::ReadBlob blobs;
};
Result<ReadCampaign> read_whole(const fs::path& folder);

// A command that works from any folder; "" stays "".
std::string in_campaign(const std::string& command, const fs::path& campaign);

// How one comparison with v0 itself came out for a version: the final confirmation, else its promotion when it came
// straight from v0.
struct DirectGain {
  std::optional<double> speedup;
  std::optional<campaign::Interval> interval;
};
DirectGain gain_over_baseline(const campaign::State& state, const campaign::Version& version);

Result<report::Summary> summary_of(const fs::path& campaign);
// As text or as hone.report/1.
Result<int> print_summary(const Context& context, const fs::path& campaign);

}  // namespace hone::cli
