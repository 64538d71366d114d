#include "propose/manual.h"

#include <fmt/format.h>

namespace hone::propose {

namespace {

class Manual final : public Proposer {
 public:
  explicit Manual(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::string_view name() const override { return "manual"; }
  Source source() const override { return Source::written; }

  Result<std::optional<Plan>> plan(const Brief& brief) override {
    HONE_TRY(const task::Candidate present, task::read_candidate(*brief.task, folder_));
    const std::string digest = present.digest.hex();
    const std::string group = "manual/" + present.digest.short_hex();
    const bool judged = brief.rejected.contains(digest) || brief.closed_groups.contains(group);
    if (present.digest == brief.from.digest || judged) return std::optional<Plan>();
    return std::optional(Plan{3, group, "a person's edit", fmt::format("the files in {}", folder_.string()),
                              "time of every timed case falls"});
  }

  Result<Proposal> propose(const Brief& brief, const Plan&, const Screener&) override {
    Proposal proposal;
    HONE_TRY(proposal.candidate, task::read_candidate(*brief.task, folder_));
    proposal.reason = "the edit in the task's folder";
    return proposal;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace

std::unique_ptr<Proposer> make_manual(std::filesystem::path folder) {
  return std::make_unique<Manual>(std::move(folder));
}

}  // namespace hone::propose
