#include "surface/cli/reports.h"

#include <fmt/format.h>

#include "base/text.h"
#include "loop/contract.h"

namespace hone::cli {

Result<ReadCampaign> read_whole(const fs::path& folder) {
  ReadCampaign campaign;
  campaign.folder = folder;
  campaign.blobs = [folder](const Digest& digest) { return loop::read_blob(folder, digest.hex()); };
  HONE_TRY(campaign.log, loop::read_campaign(folder));
  HONE_TRY(campaign.task, loop::read_contract(folder, campaign.log.state));
  return campaign;
}

std::string in_campaign(const std::string& command, const fs::path& campaign) {
  if (command.empty()) return "";
  return fmt::format("{} -C {}", command, shell_word(campaign.string()));
}

DirectGain gain_over_baseline(const campaign::State& state, const campaign::Version& version) {
  const auto& confirmed = state.final_confirmation;
  if (confirmed && confirmed->candidate == version.candidate) return {confirmed->speedup, confirmed->speedup_interval};
  const bool comparable = state.is_comparable(version.time);
  if (!comparable || version.number == 0 || version.parent != state.versions.front().commit) return {};
  for (const campaign::Judged& judged : state.judgements) {
    if (judged.verdict == version.verdict) return {judged.speedup, judged.speedup_interval};
  }
  return {};
}

Result<report::Summary> summary_of(const fs::path& campaign) {
  HONE_TRY(const ReadCampaign read, read_whole(campaign));
  HONE_TRY(report::Summary summary, report::summarize(read.log.state, read.task, read.blobs));
  summary.go_on = in_campaign(summary.go_on, campaign);
  return summary;
}

Result<int> print_summary(const Context& context, const fs::path& campaign) {
  HONE_TRY(const report::Summary summary, summary_of(campaign));
  if (context.json()) {
    print_json(json::to_text(summary));
  } else {
    print(report::to_text(summary));
  }
  return 0;
}

}  // namespace hone::cli
