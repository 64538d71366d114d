// What `hone audit` looks at, part by part.
#include "surface/cli/audit_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/text.h"
#include "campaign/named_blobs.h"
#include "loop/contract.h"
#include "record/git_command.h"
#include "views/views.h"

namespace hone::cli {

namespace {

std::string place_of(const campaign::Event& event, const campaign::NamedBlob& blob) {
  return fmt::format("log.jsonl:{} ({}/{}), blob {}", event.sequence, campaign::type_of(event.body), blob.part,
                     blob.digest);
}

// Reads one blob, which proves its bytes by their name.
std::optional<Finding> check_blob(const fs::path& campaign, const std::string& digest, const std::string& where,
                                  AuditDocument& document) {
  const auto bytes = loop::read_blob(campaign, digest);
  if (!bytes) return Finding{AuditPart::blob, where, bytes.error().what, Repair::none};
  document.blobs_bytes += bytes->size();
  return std::nullopt;
}

}  // namespace

Result<std::vector<Finding>> audit_blobs(const fs::path& campaign, AuditDocument& document) {
  std::vector<Finding> findings;
  std::set<std::string> seen;
  HONE_CHECK(record::read_log(campaign / "log.jsonl", [&](std::string_view line, uint64_t) -> Status {
    HONE_TRY(const campaign::Event event, campaign::from_line(line));
    for (const campaign::NamedBlob& blob : campaign::named_blobs(event.body)) {
      if (!seen.insert(blob.digest).second) continue;
      if (auto finding = check_blob(campaign, blob.digest, place_of(event, blob), document))
        findings.push_back(*std::move(finding));
    }
    return ok();
  }));
  document.blobs_named = seen.size();
  return findings;
}

namespace {

Finding finding_of(const views::ViewFault& fault) {
  switch (fault.kind) {
    case views::FaultKind::missing:
      return {AuditPart::view, fault.path, "missing", Repair::automatic};
    case views::FaultKind::stale:
      return {AuditPart::view, fault.path, "shows what the log does not have", Repair::asked};
    case views::FaultKind::different:
      break;
  }
  return {AuditPart::view, fault.path, "not what the log says: edited, or of another version of hone", Repair::asked};
}

}  // namespace

Result<std::vector<Finding>> audit_views(const ReadCampaign& campaign, AuditDocument& document) {
  HONE_TRY(const views::Files files, views::make_views(campaign.log.state, campaign.task, campaign.blobs));
  document.views = files.size();
  HONE_TRY(const auto faults, views::check_views(campaign.folder, files));
  std::vector<Finding> findings;
  for (const views::ViewFault& fault : faults) findings.push_back(finding_of(fault));
  return findings;
}

namespace {

constexpr std::string_view k_incumbent_ref = "refs/hone/incumbent";

struct Ref {
  std::string commit;
  std::string anchor;  // trailer Hone-Log
};
using Refs = std::map<std::string, Ref>;

// Refs below refs/hone/ with the head of the log that each commit carries.
Result<Refs> read_refs(const fs::path& store, Processes& processes) {
  const record::GitCommand git(processes, store);
  HONE_TRY(const std::string output,
           git.run({"for-each-ref", "--format=%(refname) %(objectname) %(contents:trailers:key=Hone-Log,valueonly)",
                    "refs/hone/"}));
  Refs refs;
  for (const std::string& line : split_lines(output)) {
    const auto words = split(line, ' ');
    if (words.size() >= 2) refs[words[0]] = {words[1], words.size() > 2 ? words[2] : ""};
  }
  return refs;
}

Refs expected_refs(const campaign::State& state) {
  Refs refs;
  for (const campaign::Version& version : state.versions)
    refs[fmt::format("refs/hone/v{}", version.number)] = {version.commit, version.anchor};
  if (!state.versions.empty())
    refs[std::string(k_incumbent_ref)] = {state.incumbent()->commit, state.incumbent()->anchor};
  return refs;
}

std::optional<record::Head> head_of(const std::string& anchor) {
  const size_t colon = anchor.find(':');
  if (colon == std::string::npos) return std::nullopt;
  record::Head head;
  const auto [end, error] = std::from_chars(anchor.data(), anchor.data() + colon, head.lines);
  const auto hash = Digest::from_hex(std::string_view(anchor).substr(colon + 1));
  if (error != std::errc() || end != anchor.data() + colon || !hash) return std::nullopt;
  head.hash = *hash;
  return head;
}

bool is_some_version(const Refs& expected, const std::string& commit) {
  return std::any_of(expected.begin(), expected.end(), [&](const auto& ref) { return ref.second.commit == commit; });
}

// A ref that stands where it should, is not there yet, or is where it should not be. Only the incumbent ever moves:
// hone may have died between the event and the move.
std::optional<Finding> check_ref(const std::string& name, const Ref& ref, const Refs& expected, const Refs& found) {
  const auto there = found.find(name);
  if (there == found.end()) return Finding{AuditPart::git, name, "missing in store.git", Repair::automatic};
  if (there->second.commit == ref.commit) return std::nullopt;
  if (name == k_incumbent_ref && is_some_version(expected, there->second.commit))
    return Finding{AuditPart::git, name, "does not follow the log yet", Repair::automatic};
  return Finding{AuditPart::git, name, fmt::format("at {}, and the log says {}", there->second.commit, ref.commit),
                 Repair::none};
}

void compare_refs(const Refs& expected, const Refs& found, std::vector<Finding>& findings) {
  for (const auto& [name, ref] : expected) {
    if (auto finding = check_ref(name, ref, expected, found)) findings.push_back(*std::move(finding));
  }
  for (const auto& [name, ref] : found) {
    if (expected.contains(name)) continue;
    findings.push_back({AuditPart::git, name,
                        "in store.git and not in the log: the log was cut, or somebody else made it", Repair::none});
  }
}

void check_heads(const fs::path& log, const Refs& refs, std::vector<Finding>& findings) {
  for (const auto& [name, ref] : refs) {
    const auto head = head_of(ref.anchor);
    if (!head) {
      findings.push_back({AuditPart::anchor, name, "its commit carries no head of the log", Repair::none});
    } else if (const Status known = record::check_anchors(log, {&*head, 1}); !known) {
      findings.push_back({AuditPart::anchor, name, known.error().what, Repair::none});
    }
  }
}

}  // namespace

Result<std::vector<Finding>> audit_git(const ReadCampaign& campaign, Processes& processes, AuditDocument& document) {
  const fs::path store = campaign.folder / "store.git";
  std::vector<Finding> findings;
  Refs found;
  if (path_exists(store)) {
    auto read = read_refs(store, processes);
    if (!read && read.error().code == ErrorCode::environment) return read.error();
    if (!read)
      return std::vector<Finding>{
          {AuditPart::git, "store.git",
           "git cannot read it; remove that folder, and the next `hone resume` writes it anew: " +
               to_text(read.error()),
           Repair::none}};
    found = *std::move(read);
  }
  const Refs expected = expected_refs(campaign.log.state);
  for (const auto& [name, ref] : found) document.commits += expected.contains(name) && name != k_incumbent_ref;
  compare_refs(expected, found, findings);
  check_heads(campaign.folder / "log.jsonl", found, findings);
  return findings;
}

}  // namespace hone::cli
