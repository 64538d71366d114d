#include "judge/judge_main.h"

#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <sys/prctl.h>

#include "device/backends.h"
#include "judge/device_bench.h"
#include "judge/hidden.h"
#include "judge/protocol.h"
#include "judge/questions.h"
#include "sandbox/spawn.h"

namespace hone::judge {

namespace {

Result<JudgingJob> read_job(LineChannel& channel) {
  HONE_TRY(const LineChannel::Received received, channel.receive());
  if (!received.line)
    return Error{ErrorCode::usage, "`hone judge` is started by hone itself, with a job on descriptor 3"};
  return json::from_text<JudgingJob>(*received.line);
}

// A round is durable when control has answered it.
Status report_round(LineChannel& channel, const RoundRecord& record) {
  HONE_CHECK(channel.send(json::to_text(Message{record, {}, {}, {}})));
  HONE_TRY(const LineChannel::Received received, channel.receive());
  if (!received.line) return Error{ErrorCode::interrupted, "control is gone"};
  HONE_TRY(const Reply reply, json::from_text<Reply>(*received.line));
  if (!reply.go_on) return Error{ErrorCode::interrupted, "control asked the judge to stop"};
  return ok();
}

Observer observer_over(LineChannel& channel) {
  Observer observer;
  observer.round = [&channel](const RoundRecord& record) { return report_round(channel, record); };
  observer.progress = [&channel](const Progress& progress) {
    std::ignore = channel.send(json::to_text(Message{{}, progress, {}, {}}));
  };
  return observer;
}

// Contents and truths of many megabytes come and go with every launch that is checked. Memory that was given back has
// to be cleared page by page when it is asked for again, which takes as long as what is done with it. Not where arms
// are processes: to start one from a larger judge takes longer, and that is as much.
void keep_freed_memory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

Result<campaign::Verdict> judge_one(LineChannel& channel) {
  HONE_TRY(const JudgingJob job, read_job(channel));
  if (job.hidden_file) HONE_CHECK(require_hiding(sandbox::available_layers()));
  HONE_TRY(const task::Task task, contract_of(job));
  HONE_CHECK(device::require_unchanged(job.header_roots));
  HONE_TRY(const auto device,
           device::open_device({task.kernel.language, job.cores, task.limits.threads, job.device.value_or("")}));
  HONE_TRY(const auto bench, DeviceBench::make(task, job, *device));
  if (!device->identity().is_of_cores()) keep_freed_memory();
  // Last: whoever opens a device looks at the cores that it may use.
  HONE_CHECK(device::pin_this_process(device->identity()));
  return answer(task, job, *bench, observer_over(channel));
}

}  // namespace

int judge_main() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a judge without its control has nobody to answer
  LineChannel channel(k_protocol_descriptor);
  const auto verdict = judge_one(channel);
  Message last;
  if (verdict) {
    last.verdict = *verdict;
  } else {
    last.error = to_wire(verdict.error());
  }
  return channel.send(json::to_text(last)) ? 0 : exit_code(ErrorCode::io);
}

}  // namespace hone::judge
