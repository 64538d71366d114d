// Executor: where a judging job runs. local starts `hone judge` as a child; tape answers from recorded lines.
// run() blocks, streams rounds to the observer (which makes them durable before the next begins) and ends with one
// Verdict. Failures of candidates are verdicts; errors mean that the job could not be run or was cancelled
// (ErrorCode::interrupted).
#pragma once

#include <memory>

#include "base/result.h"
#include "campaign/verdict.h"
#include "device/ceilings.h"
#include "device/device.h"
#include "judge/job.h"

namespace hone::execute {

class Executor {
 public:
  virtual ~Executor() = default;
  virtual Result<campaign::Verdict> run(const judge::JudgingJob& job, const judge::Observer& observer) = 0;
  // The device that jobs run on, for pins and reports.
  virtual Result<device::Identity> identity() = 0;
  // The headers outside the task that its builds read, for pins; none where nothing is built.
  virtual std::vector<device::HeaderRoot> header_roots() { return {}; }
};

}  // namespace hone::execute
