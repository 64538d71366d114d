// `hone audit`: whether a campaign is what it says. The chain of the log, the blobs that its events name, store.git and
// every view are held against each other; hone.audit/1. Failure: as loop::read_campaign (a broken chain names file and
// line).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/enums.h"
#include "base/json.h"
#include "base/process.h"
#include "surface/cli/audit_claims.h"
#include "surface/cli/reports.h"

namespace hone::cli {

enum class AuditPart { blob, view, git, anchor };
enum class Repair {
  none,       // stands as it was found: the audit says no
  asked,      // put right when --rebuild asks for it: somebody's edit goes
  automatic,  // put right at once: nothing is lost
  done,
};

struct Finding {
  AuditPart part = AuditPart::view;
  std::string where;
  std::string what;
  Repair repair = Repair::none;
};

struct AuditDocument {
  std::string schema = "hone.audit/1";
  std::string campaign;  // folder
  uint64_t events = 0;
  std::string head;
  uint64_t torn_bytes = 0;   // after the last whole line: no fault
  uint64_t blobs_named = 0;  // different ones
  uint64_t blobs_bytes = 0;
  uint64_t views = 0;
  uint64_t commits = 0;                    // versions found in store.git
  std::optional<std::string> not_checked;  // what was left out, and why
  std::vector<Finding> findings;
  std::optional<std::vector<RemeasuredClaim>> claims;  // when --remeasure asked for them
  bool whole = true;                                   // nothing is wrong any more
};

std::string to_text(const AuditDocument& document);

// The parts, each with what it found.
Result<std::vector<Finding>> audit_blobs(const fs::path& campaign, AuditDocument& document);
Result<std::vector<Finding>> audit_views(const ReadCampaign& campaign, AuditDocument& document);
// Refs of store.git against the log, and heads of the log in commit trailers against its lines.
Result<std::vector<Finding>> audit_git(const ReadCampaign& campaign, Processes& processes, AuditDocument& document);

template <class A>
void describe(A& a, Finding& v) {
  a.field("part", v.part);
  a.field("where", v.where);
  a.field("what", v.what);
  a.field("repair", v.repair);
}

template <class A>
void describe(A& a, AuditDocument& v) {
  a.field("schema", v.schema);
  a.field("campaign", v.campaign);
  a.field("events", v.events);
  a.field("head", v.head);
  a.field("torn_bytes", v.torn_bytes);
  a.field("blobs_named", v.blobs_named);
  a.field("blobs_bytes", v.blobs_bytes);
  a.field("views", v.views);
  a.field("commits", v.commits);
  a.field("not_checked", v.not_checked);
  a.field("findings", v.findings);
  a.field("claims", v.claims);
  a.field("whole", v.whole);
}

}  // namespace hone::cli

namespace hone {
template <>
struct EnumNames<cli::AuditPart> {
  using T = cli::AuditPart;
  static constexpr EnumName<T> table[] = {{T::blob, "blob"}, {T::view, "view"}, {T::git, "git"}, {T::anchor, "anchor"}};
};
template <>
struct EnumNames<cli::Repair> {
  using T = cli::Repair;
  static constexpr EnumName<T> table[] = {
      {T::none, "none"}, {T::asked, "asked"}, {T::automatic, "automatic"}, {T::done, "done"}};
};
}  // namespace hone
