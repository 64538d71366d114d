#include "surface/cli/audit_claims.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "loop/contract.h"
#include "loop/opening.h"
#include "surface/cli/asking.h"
#include "surface/cli/hidden.h"
#include "surface/cli/home.h"
#include "surface/cli/workplace.h"
#include "views/figures.h"

namespace hone::cli {

namespace {

using campaign::Outcome;
using campaign::State;
using campaign::Version;

// The version whose commit a promotion stands on.
const Version& parent_of(const State& state, const Version& version) {
  const auto found = std::find_if(state.versions.begin(), state.versions.end(),
                                  [&](const Version& one) { return one.commit == version.parent; });
  return found == state.versions.end() ? state.versions.front() : *found;
}

std::vector<Version> standing(const State& state) {
  std::vector<Version> versions;
  for (const Version& version : state.versions) {
    if (version.number > 0 && !version.demoted && state.is_comparable(version.time)) versions.push_back(version);
  }
  return versions;
}

Error no_claim(const std::string& word, const std::string& why) {
  return {ErrorCode::usage,
          fmt::format("'{}' claims nothing that could be measured again", word),
          {},
          why,
          "name a version that was promoted and stands, or none for all of them"};
}

Result<Version> claim_named(const State& state, const std::string& word) {
  HONE_TRY(const Version version, version_named(state, word));
  if (version.number == 0) return no_claim(word, "v0 is what the others are compared with");
  if (version.demoted) return no_claim(word, "it was found wrong: " + version.demotion);
  if (state.is_comparable(version.time)) return version;
  return Error{ErrorCode::environment,
               fmt::format("v{} was proven before what numbers are bound to changed", version.number),
               {},
               "its claim is about another device, compiler or hone",
               "measure it again there, in a copy of the campaign from before the rebaseline"};
}

Result<std::vector<Version>> chosen(const State& state, const std::vector<std::string>& words) {
  if (words.empty()) return standing(state);
  std::vector<Version> versions;
  for (const std::string& word : words) {
    HONE_TRY(Version version, claim_named(state, word));
    versions.push_back(std::move(version));
  }
  return versions;
}

Claim claim_of(const State& state, const Version& version) {
  Claim claim{title_of(version), title_of(parent_of(state, version)), {}, {}};
  for (const campaign::Judged& judged : state.judgements) {
    if (judged.verdict != version.verdict) continue;
    claim.speedup = judged.speedup;
    claim.speedup_interval = judged.speedup_interval;
  }
  return claim;
}

// What all claims of a campaign are measured with.
struct Laboratory {
  const ReadCampaign& campaign;
  const task::Task& task;
  const Bench& bench;
  std::optional<std::string> hidden;  // file of the hidden cases that the claims were judged by

  Result<task::Candidate> candidate(const Version& version) const {
    return loop::restore_candidate(campaign.log.state, version.candidate,
                                   [this](const std::string& blob) { return loop::read_blob(campaign.folder, blob); });
  }
};

Result<judge::JudgingJob> job_for(const Laboratory& laboratory, const Version& version) {
  const State& state = laboratory.campaign.log.state;
  HONE_TRY(const task::Candidate candidate, laboratory.candidate(version));
  HONE_TRY(const task::Candidate incumbent, laboratory.candidate(parent_of(state, version)));
  HONE_TRY(const task::Candidate v0, laboratory.candidate(state.versions.front()));
  HONE_TRY(judge::JudgingJob job, job_about(laboratory.task, campaign::Question::compare, candidate, laboratory.bench));
  job.id = fmt::format("audit-{}", title_of(version));
  job.incumbent = judge::to_text(incumbent);
  job.hidden_file = laboratory.hidden;
  job.baseline = judge::to_text(v0);
  job.cores = state.pins->cores;
  return job;
}

Result<RemeasuredClaim> remeasure(const Context& context, const Laboratory& laboratory, const Version& version) {
  HONE_TRY(const judge::JudgingJob job, job_for(laboratory, version));
  HONE_TRY(const campaign::Verdict verdict, ask(context, laboratory.bench, job));
  if (campaign::is_task_fault(verdict.outcome))
    return Error{ErrorCode::contract,
                 fmt::format("the contract is at fault ({}): {}", name_of(verdict.outcome), verdict.message)};
  return weigh(claim_of(laboratory.campaign.log.state, version), verdict);
}

bool overlap(const campaign::Interval& a, const campaign::Interval& b) { return a.low <= b.high && b.low <= a.high; }

bool disagree(const std::optional<campaign::Interval>& a, const std::optional<campaign::Interval>& b) {
  return a && b && !overlap(*a, *b);
}

std::string figure(const std::optional<double>& speedup, const std::optional<campaign::Interval>& interval) {
  if (!speedup) return "no speed-up";
  return views::speedup_text(*speedup) + (interval ? " " + views::interval_text(*interval) : "");
}

}  // namespace

RemeasuredClaim weigh(const Claim& claim, const campaign::Verdict& verdict) {
  RemeasuredClaim again{claim, verdict.outcome, verdict.reason, {}, {}, ClaimAnswer::contradicts};
  if (verdict.comparison) {
    again.speedup = verdict.comparison->speedup;
    again.speedup_interval = verdict.comparison->speedup_interval;
  }
  if (disagree(claim.speedup_interval, again.speedup_interval)) return again;
  if (verdict.outcome == Outcome::faster) again.answer = ClaimAnswer::agrees;
  if (verdict.outcome == Outcome::inconclusive) again.answer = ClaimAnswer::inconclusive;
  return again;
}

Result<std::vector<RemeasuredClaim>> remeasure_claims(const Context& context, const ReadCampaign& campaign,
                                                      const std::vector<std::string>& words) {
  HONE_TRY(const std::vector<Version> versions, chosen(campaign.log.state, words));
  std::vector<RemeasuredClaim> claims;
  if (versions.empty()) return claims;
  HONE_TRY(const TemporaryFolder scratch, TemporaryFolder::make(fs::temp_directory_path(), "hone-audit-"));
  HONE_TRY(const task::Task task, loop::unpack_contract(campaign.folder, campaign.log.state, scratch.path()));
  HONE_TRY(const auto hidden, hidden_file(context, task, {campaign.folder}));
  HONE_TRY(const Bench bench, open_bench(context, task, Calibration::when_missing));
  HONE_TRY(const campaign::Pins now, loop::pins_now(task, *bench.executor, loop::hidden_cases(hidden)));
  HONE_CHECK(loop::require_same_pins(*campaign.log.state.pins, now));
  const Laboratory laboratory{campaign, task, bench, hidden};
  for (const Version& version : versions) {
    HONE_TRY(RemeasuredClaim claim, remeasure(context, laboratory, version));
    claims.push_back(std::move(claim));
  }
  return claims;
}

std::string to_text(const RemeasuredClaim& again) {
  const Claim& claim = again.claim;
  const std::string reason = again.reason.empty() ? "" : " (" + again.reason + ")";
  return fmt::format("  claim {} over {}: {}; measured again: {}, {}{}: {}\n", claim.version, claim.against,
                     figure(claim.speedup, claim.speedup_interval), figure(again.speedup, again.speedup_interval),
                     name_of(again.outcome), reason, name_of(again.answer));
}

int exit_status(const std::vector<RemeasuredClaim>& claims) {
  const auto any = [&](ClaimAnswer answer) {
    return std::any_of(claims.begin(), claims.end(), [&](const RemeasuredClaim& one) { return one.answer == answer; });
  };
  if (any(ClaimAnswer::contradicts)) return 1;
  return any(ClaimAnswer::inconclusive) ? 4 : 0;
}

}  // namespace hone::cli
