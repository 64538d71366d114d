// The four questions a judge answers, as orchestration over a Bench: what is asked in which order, and when to stop.
// Everything statistical is stats::decide; everything physical is the bench. The same code runs on a device and on a tape.
// Errors: interrupted (the observer cancelled), io (the observer could not make a round durable), or what the bench reports.
#pragma once

#include "base/result.h"
#include "campaign/verdict.h"
#include "judge/bench.h"
#include "judge/job.h"
#include "task/task.h"

namespace hone::judge {

inline constexpr std::string_view k_judge_version = "judge/1";

// Trials of both arms before the first round, and of the candidate in all before promotion (JUDGE.md 3).
inline constexpr uint64_t k_first_trials = 5;
inline constexpr uint64_t k_all_trials = 20;

Result<campaign::Verdict> answer(const task::Task& task, const JudgingJob& job, Bench& bench, const Observer& observer);

// The ids of the timed cases in contract order, and how a comparison weighs them.
std::vector<std::string> timed_case_ids(const task::Task& task);
stats::Weighting weighting_of(const task::Task& task);

// Digest over every constant that an answer depends on.
std::string rule_digest();

}  // namespace hone::judge
