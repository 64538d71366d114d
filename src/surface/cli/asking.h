// Asking one question outside of a campaign: verify, measure, compare and their like store nothing but artefacts and
// use k = 1. Also how a verdict is printed and which exit status it means (CLI.md).
#pragma once

#include "campaign/verdict.h"
#include "surface/cli/command.h"
#include "surface/cli/workplace.h"

namespace hone::cli {

// What verify, measure and compare are asked about: the contract and where candidates are looked up.
struct Place {
  fs::path campaign;
  task::Task task;
};
// `word` is the first CANDIDATE: its own folder when it is one, else the campaign's contract.
Result<Place> place_of(const Context& context, const std::string& word);

// With the contract's own files as the baseline, for rules that are relative to v0's error.
Result<judge::JudgingJob> job_about(const task::Task& task, campaign::Question question,
                                    const task::Candidate& candidate, const Bench& bench);
using RoundListener = std::function<Status(const judge::RoundRecord&)>;
Result<campaign::Verdict> ask(
    const Context& context, const Bench& bench, const judge::JudgingJob& job,
    const RoundListener& listen = [](const judge::RoundRecord&) { return ok(); });

// One question about CANDIDATE, which is the present folder by default.
inline constexpr ArgumentRow k_candidate_argument{
    "CANDIDATE", false, false, "a folder, vK, best, baseline or a digest prefix; the present folder by default"};
struct Asked {
  task::Task task;
  campaign::Verdict verdict;
};
Result<Asked> ask_about_candidate(const Context& context, campaign::Question question, Calibration calibration);

int exit_status(const campaign::Verdict& verdict);
std::string to_text(const campaign::Verdict& verdict);
Result<int> print_verdict(const Context& context, const campaign::Verdict& verdict);

}  // namespace hone::cli
