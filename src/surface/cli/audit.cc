#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "loop/contract.h"
#include "loop/history.h"
#include "record/lock.h"
#include "surface/cli/audit_parts.h"
#include "surface/cli/hidden.h"
#include "surface/cli/workplace.h"
#include "views/views.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {
    {"WORKSPACE", false, false, "the task's or the campaign's folder; the present one by default"},
    {"CLAIM", false, true, "with --remeasure: vK or best; every promoted version that stands by default"}};
constexpr OptionRow k_options[] = {
    {"--rebuild", "", "", "also write anew what was edited; what is missing is always written anew"},
    {"--remeasure", "", "", "also compare each CLAIM again with the version that it was proven against"},
    k_hidden_option,
    k_cores_option,
    k_device_option,
    k_tape_option};

enum class Rebuild { missing, all };

bool will_repair(const Finding& finding, Rebuild rebuild) {
  return finding.repair == Repair::automatic || (finding.repair == Repair::asked && rebuild == Rebuild::all);
}

// One file as the log says it is; a view that the log does not have goes.
Status restore_view(Disk& disk, const fs::path& folder, const views::Files& files, const std::string& path) {
  const auto content = files.find(path);
  return content == files.end() ? disk.remove(folder / path)
                                : write_file_if_changed(disk, folder / path, content->second);
}

Status follow_log(Context& context, loop::Store& store) {
  HONE_TRY(loop::History history, loop::History::open(store, *context.processes, *context.clock));
  return history.follow();
}

// As a writer, with the campaign's lock: a torn tail is set aside on the way, so views are made of what the log says
// then.
Status repair(Context& context, const ReadCampaign& campaign, std::vector<Finding>& findings, Rebuild rebuild) {
  HONE_TRY(loop::Store store, loop::Store::open(*context.disk, *context.clock, campaign.folder, context.command_line));
  HONE_TRY(const views::Files files, views::make_views(store.state(), campaign.task, campaign.blobs));
  for (Finding& finding : findings) {
    if (!will_repair(finding, rebuild)) continue;
    const Status repaired = finding.part == AuditPart::view
                                ? restore_view(*context.disk, campaign.folder, files, finding.where)
                                : follow_log(context, store);
    finding.repair = repaired ? Repair::done : Repair::none;
    if (!repaired) finding.what += "; " + repaired.error().what;
  }
  return ok();
}

void append(std::vector<Finding>& to, std::vector<Finding> more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

// Everything that can be judged from files alone; blobs first, since views cannot be made without them.
Status examine(Context& context, const ReadCampaign& campaign, AuditDocument& document) {
  if (const auto holder = record::holder_of(campaign.folder / "lock")) {
    document.not_checked = fmt::format("views and store.git: process {} is at work here and may be about to write them",
                                       holder->owner.pid);
    return ok();
  }
  HONE_TRY(auto git, audit_git(campaign, *context.processes, document));
  HONE_TRY(auto views, audit_views(campaign, document));
  append(document.findings, std::move(git));
  append(document.findings, std::move(views));
  return ok();
}

Status look_up(const fs::path& folder, Context& context, AuditDocument& document) {
  HONE_TRY(document.findings, audit_blobs(folder, document));
  if (!document.findings.empty()) {
    document.not_checked = "views and store.git: blobs that they are made of are gone or damaged";
    return ok();
  }
  HONE_TRY(const ReadCampaign campaign, read_whole(folder));
  HONE_CHECK(examine(context, campaign, document));
  const Rebuild rebuild = context.arguments.has("rebuild") ? Rebuild::all : Rebuild::missing;
  const auto repairable = [rebuild](const Finding& finding) { return will_repair(finding, rebuild); };
  if (std::none_of(document.findings.begin(), document.findings.end(), repairable)) return ok();
  return repair(context, campaign, document.findings, rebuild);
}

std::string line_of(const Finding& finding) {
  const std::string_view end = finding.repair == Repair::done    ? " (written anew)"
                               : finding.repair == Repair::asked ? " (--rebuild writes it anew)"
                                                                 : "";
  return fmt::format("  {} {}: {}{}\n", name_of(finding.part), quote_untrusted(finding.where, 300),
                     quote_untrusted(finding.what, 600), end);
}

// What was typed: a first word that leads to no campaign is a claim already.
struct Words {
  std::optional<std::string> workspace;
  std::vector<std::string> claims;
};

bool leads_to_a_campaign(const Context& context, const std::string& word) {
  return !context.arguments.has("C") && path_exists(campaign_folder(context, word) / "log.jsonl");
}

Result<Words> words_of(const Context& context) {
  Words words{context.arguments.text("WORKSPACE"), context.arguments.all("CLAIM")};
  const bool remeasures = context.arguments.has("remeasure");
  if (remeasures && words.workspace && !leads_to_a_campaign(context, *words.workspace)) {
    words.claims.insert(words.claims.begin(), *words.workspace);
    words.workspace.reset();
  }
  if (remeasures || words.claims.empty()) return words;
  return Error{ErrorCode::usage,
               fmt::format("'{}' is one argument too many", words.claims.front()),
               {},
               "",
               "add --remeasure to measure a claim again"};
}

// A campaign that is not whole has no claims to speak of.
Status remeasure(Context& context, const fs::path& folder, const std::vector<std::string>& words,
                 AuditDocument& document) {
  if (!context.arguments.has("remeasure") || !document.whole) return ok();
  HONE_TRY(const ReadCampaign campaign, read_whole(folder));
  HONE_TRY(document.claims, remeasure_claims(context, campaign, words));
  return ok();
}

int exit_status(const AuditDocument& document) {
  if (!document.whole) return 1;
  return document.claims ? exit_status(*document.claims) : 0;
}

Result<int> audit(Context& context) {
  AuditDocument document;
  HONE_TRY(const Words words, words_of(context));
  const fs::path folder = campaign_folder(context, words.workspace);
  HONE_TRY(const loop::ReadOnly log, loop::read_campaign(folder));
  document.campaign = folder.string();
  document.events = log.head.lines;
  document.head = log.head.hash.hex();
  document.torn_bytes = log.torn_bytes;
  HONE_CHECK(look_up(folder, context, document));
  document.whole = std::all_of(document.findings.begin(), document.findings.end(),
                               [](const Finding& f) { return f.repair == Repair::done; });
  HONE_CHECK(remeasure(context, folder, words.claims, document));
  context.json() ? print_json(json::to_text(document)) : print(to_text(document));
  return exit_status(document);
}

}  // namespace

std::string to_text(const AuditDocument& document) {
  std::string text = fmt::format("{}\n  log: {} events, unbroken to {}\n", document.campaign, document.events,
                                 document.head.substr(0, 12));
  if (document.torn_bytes > 0)
    text += fmt::format("  log: {} of a line that was cut short stand after the last one\n",
                        counted(document.torn_bytes, "byte"));
  text += fmt::format("  blobs: {} named, {}\n", document.blobs_named, human_bytes(document.blobs_bytes));
  if (document.not_checked)
    text += fmt::format("  not checked: {}\n", *document.not_checked);
  else
    text += fmt::format("  store.git: {}\n  views: {}\n", counted(document.commits, "version"), document.views);
  for (const Finding& finding : document.findings) text += line_of(finding);
  if (document.claims) {
    for (const RemeasuredClaim& claim : *document.claims) text += to_text(claim);
    if (document.claims->empty()) text += "  claims: none stands\n";
  }
  return text + (document.whole ? "whole\n" : "NOT WHOLE\n");
}

Command audit_command() {
  return {"audit",
          "Checks that a campaign is what it says, and writes missing views anew",
          "The log's chain, every blob it names, store.git and every view are held against each other. A broken chain "
          "is named by file and\n"
          "line and ends with 1. What is missing and can be made from the log is made; what was edited is reported "
          "unless --rebuild is given.\n"
          "--remeasure also asks the judge: each claim is compared again under k = 1, on the same device and with the "
          "same compiler (else 3), and nothing\n"
          "of it is written into the campaign. A claim is contradicted when its version is not faster now or the "
          "intervals of the two speed-ups do not overlap.\n"
          "Status 0: whole, and every claim agrees; 1: not whole, or a claim is contradicted; 4: a claim is "
          "inconclusive.",
          k_arguments,
          k_options,
          audit};
}

}  // namespace hone::cli
