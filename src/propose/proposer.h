// Proposer: whatever suggests the next candidate: tuner, script, manual (and later agents).
// A brief holds only what a proposer may know: no hidden cases, no secrets, no verdict internals. A proposer answers
// with one change of one tier, or says that it has nothing left. It may ask the Screener for rough figures, which are
// evidence, never verdicts. Ownership: the loop owns the proposer; a brief is valid during the call. Errors:
// environment, io, interrupted.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "campaign/event.h"
#include "task/candidate.h"

namespace hone::propose {

// What the loop tells. `from` is the candidate to start from: the incumbent, or a parked branch.
struct Brief {
  const task::Task* task = nullptr;
  task::Candidate from;
  std::vector<int> tier_order;          // untried tiers first, as the diagnosis ranks them
  std::set<std::string> closed_groups;  // dead ends in this context: not to be proposed again
  std::set<std::string> rejected;       // candidate digests that were already judged
  uint64_t experiment = 0;              // number of the coming experiment
  uint64_t turn = 0;  // how often this proposer is asked in this campaign, from 1; the same after a resume
  std::optional<Nanoseconds> time_left;  // of the session
};

// The plan of one experiment, before any work on it: recorded before it is acted upon.
struct Plan {
  int tier = 1;
  std::string group;       // stable id of what may change, e.g. "tunables/2", "option/march"
  std::string hypothesis;  // why it may help
  std::string change;      // what will be changed
  std::string expected;    // metric movement
};

struct Proposal {
  std::optional<task::Candidate> candidate;  // absent: nothing in this group beats `from`
  std::optional<task::Candidate> near;       // without a candidate: the best of the search, if it loses only a little
  double near_ratio = 1.0;
  std::string reason;                       // what was chosen, or why nothing
  std::vector<campaign::SearchStep> steps;  // evidence of a search
  std::optional<double> best_ratio;
  double device_seconds = 0;
};

// Rough paired ratios of configurations against `from` (time over time of `from`, < 1 is faster), in order; cheap,
// never decides.
struct ScreenAnswer {
  std::vector<campaign::ScreenResult> results;
  double device_seconds = 0;
};
using Screener = std::function<Result<ScreenAnswer>(const std::vector<task::Candidate>&, Nanoseconds time_limit)>;

// Searched: found by hone when it is asked. Written: it lies there already, and somebody waits for its judgement.
enum class Source { searched, written };

class Proposer {
 public:
  virtual ~Proposer() = default;
  virtual std::string_view name() const = 0;
  // What a session's event says; two scripts are two proposers.
  virtual std::string identity() const { return std::string(name()); }
  virtual Source source() const { return Source::searched; }
  // The next experiment, or nothing when every direction is closed in this context.
  virtual Result<std::optional<Plan>> plan(const Brief& brief) = 0;
  // Acts on that plan.
  virtual Result<Proposal> propose(const Brief& brief, const Plan& plan, const Screener& screen) = 0;
};

}  // namespace hone::propose
