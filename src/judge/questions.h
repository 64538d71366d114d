// The questions a judge answers, as orchestration over a Bench: what is asked in which order, and when to stop.
// Everything statistical is stats::decide; everything physical is the bench. The same code runs on a device and on a
// tape. Errors: interrupted (the observer cancelled), io (the observer could not make a round durable), or what the
// bench reports.
#pragma once

#include "base/result.h"
#include "campaign/verdict.h"
#include "judge/bench.h"
#include "judge/constants.h"
#include "judge/job.h"
#include "task/task.h"

namespace hone::judge {

Result<campaign::Verdict> answer(const task::Task& task, const JudgingJob& job, Bench& bench, const Observer& observer);

// The ids of the timed cases in contract order, and how a comparison weighs them.
std::vector<std::string> timed_case_ids(const task::Task& task);
stats::Weighting weighting_of(const task::Task& task);

}  // namespace hone::judge
