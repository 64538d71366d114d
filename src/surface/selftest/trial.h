// One trial and what came of it, as a line of JSON: what the summary needs, kept so that an interrupted selftest goes
// on where it was. Failure: environment, when the selftest's own kernel does not run here. One thread; a loaded trial
// starts threads of its own and ends them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "surface/cli/asking.h"
#include "surface/selftest/plan.h"

namespace hone::cli {

struct TrialRecord {
  Family family = Family::exact;
  uint64_t index = 0;
  std::string outcome;
  std::string reason;
  std::optional<double> gain;           // ln, as a verdict reports it
  std::vector<double> stage1_gains;     // ln, of each round
  std::optional<double> periodic_mean;  // the strongest effect of the place in the schedule, ln
  std::optional<double> periodic_p;
  std::optional<uint64_t> periodic_launches;  // its period
  std::optional<double> kernel_seconds;       // p50 of the incumbent
  std::optional<double> device_seconds;
  std::map<std::string, double> step_seconds;  // campaign/verdict.h
};

// The judge under test.
class Subject {
 public:
  // The task of task.h in `folder`, on the device that the options name; a launch takes about `length`, if that is
  // said.
  static Result<Subject> open(const Context& context, const fs::path& folder, std::optional<Nanoseconds> length);

  const device::Identity& identity() const { return identity_; }
  const std::string& task_digest() const { return task_digest_; }
  Result<TrialRecord> ask(const Trial& trial, const std::string& title) const;

 private:
  Subject(const Context& context, task::Task task, Bench bench, task::Candidate plain, device::Identity identity);
  task::Candidate arm(int extra, uint64_t build) const;

  const Context* context_;
  task::Task task_;
  Bench bench_;
  task::Candidate plain_;
  device::Identity identity_;
  std::string task_digest_;
};

// ln time less the mean of the same arm, case and round, in launch order; and where the coin put either arm first in a
// quarter of the quads at least, less what all launches at the same place of their quad share: both arms meet it
// equally often, and it says nothing about the schedule (the second launch in a row of one process is a faster one).
std::vector<double> residuals(const judge::RoundRecord& round);

template <class A>
void describe(A& a, TrialRecord& v) {
  a.field("family", v.family);
  a.field("index", v.index);
  a.field("outcome", v.outcome);
  a.field("reason", v.reason);
  a.field("gain", v.gain);
  a.field("stage1_gains", v.stage1_gains);
  a.field("periodic_mean", v.periodic_mean);
  a.field("periodic_p", v.periodic_p);
  a.field("periodic_launches", v.periodic_launches);
  a.field("kernel_seconds", v.kernel_seconds);
  a.field("device_seconds", v.device_seconds);
  a.field("step_seconds", v.step_seconds);
}

}  // namespace hone::cli
