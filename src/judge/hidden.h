// Hidden cases in a judge: how they enter a job, and what of them may leave it. Whatever a judge says of a hidden case
// (messages, mismatches, figures) holds its opaque id and what kind of failure it was, never a size, a value or an
// index; what a candidate printed there is dropped, since it was handed the sizes. What remains is what a candidate can
// tell by failing or by its time: a launch can always say one thing. Failures: contract, usage, environment.
#pragma once

#include <string>

#include "base/result.h"
#include "campaign/verdict.h"
#include "judge/bench.h"
#include "judge/job.h"
#include "sandbox/layers.h"
#include "task/bind.h"
#include "task/task.h"

namespace hone::judge {

// The contract of a job, with its hidden cases where their file is given.
Result<task::Task> contract_of(const JudgingJob& job);

// Refused (exit 3) where a candidate could read the file: without layers that hide the machine's files.
Status require_hiding(sandbox::LayerSet layers);

// The same failure as anybody may see it; unchanged for a public case.
Failure veiled(Failure failure, const task::BoundCase& bound);
// The same counts without what would tell sizes or values.
campaign::Correctness veiled(campaign::Correctness counts, const task::BoundCase& bound);
// Why a case cannot be made ready.
Error veiled(Error error, const task::Case& one);

bool is_hidden(const task::Task& task, const std::string& case_id);
// One sentence for every verdict under a contract that commits to hidden cases; empty under any other.
std::string note_on_hidden(const task::Task& task);

}  // namespace hone::judge
