// Asking a judge outside of a campaign: nothing but artefacts is stored, and k = 1. Also how a verdict is printed and
// which exit status it means. Where a question of verify, measure or compare belongs is query.h's.
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
// `word` is the first CANDIDATE: a folder with a contract of its own, else the campaign's contract.
Result<Place> place_of(const Context& context, const std::string& word);

// With the contract's own files as the baseline, for rules that are relative to v0's error.
Result<judge::JudgingJob> job_about(const task::Task& task, campaign::Question question,
                                    const task::Candidate& candidate, const Bench& bench);
using RoundListener = std::function<Status(const judge::RoundRecord&)>;
Result<campaign::Verdict> ask(
    const Context& context, const Bench& bench, const judge::JudgingJob& job,
    const RoundListener& listen = [](const judge::RoundRecord&) { return ok(); }, const std::string& title = "");

int exit_status(const campaign::Verdict& verdict);
std::string to_text(const campaign::Verdict& verdict);
Result<int> print_verdict(const Context& context, const campaign::Verdict& verdict);

}  // namespace hone::cli
