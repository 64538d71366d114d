// State: what a campaign's events add up to. Folding is the only way to know it; there is no second copy.
// apply() refuses events that cannot follow (a version twice, a round of no comparison, …): a log that folds is a valid
// history. Pure, no I/O; plain values. Errors: refused, naming the event's sequence number and the rule it breaks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/event.h"

namespace hone::campaign {

struct Version {
  uint64_t number = 0;
  std::string candidate;
  std::string tree;
  std::string commit;
  std::optional<std::string> parent;  // commit
  std::string anchor;
  int64_t date_s = 0;
  std::string verdict;      // blob; of v0 the measurement, else the comparison that promoted it
  uint64_t experiment = 0;  // 0 for v0
  std::string time;
  bool demoted = false;
  std::string demotion = {};  // why
};

struct Experiment {
  ExperimentStarted started;
  std::string time;
  std::optional<Searched> searched;
  std::optional<std::string> candidate;  // offered for judgement
  std::optional<Judged> compared;        // the answer to its comparison, which a resume finds again
  std::string proposer = {};             // who was asked for it
  std::optional<Decided> decided;
  std::optional<Diagnosed> diagnosis;   // what the hypothesis rests on: the latest when the experiment started
  std::optional<Parked> parked;         // kept when unparked: the history of the branch
  std::optional<std::string> unparked;  // why it is parked no more
};

struct OpenComparison {
  ComparisonCharged charged;
  std::vector<RoundMeasured> rounds;
};

// What was asked between runs: charged and paid for like everything else, and apart from what runs decide by.
struct Visits {
  std::set<std::string> jobs;
  std::map<std::string, Judged> answers;  // by key, the newest of each; none that is older than a run's own
  std::vector<Judged> judgements;         // in order
};

struct State {
  uint64_t sequence = 0;  // of the last event folded
  std::string head;       // hash of that event's line; empty when the event has none yet
  std::optional<CampaignOpened> opened;
  std::optional<SessionStarted> session;  // the latest
  uint64_t sessions = 0;
  // Experiments before this one belong to runs that ended by a stop rule. Sessions that died or were interrupted are
  // one run with the session that goes on from them: stop rules count alike whether or not a run was interrupted.
  uint64_t run_first_experiment = 0;
  std::optional<TargetChosen> target;      // the latest of any session
  std::optional<Pins> pins;                // as opened or rebaselined
  std::optional<std::string> rebaselined;  // when, the latest time; numbers from before are not comparable
  std::map<std::string, CandidateAdded> candidates;
  std::vector<Version> versions;
  uint64_t incumbent_version = 0;
  std::vector<Experiment> experiments;    // number = index + 1
  std::map<std::string, Judged> answers;  // of runs, by key
  std::vector<Judged> judgements;         // of runs, in order
  Visits visits;
  std::optional<Diagnosed> diagnosis;     // the latest
  uint64_t comparisons = 0;               // k so far
  std::vector<ComparisonCharged> ledger;  // every comparison that was charged: k, alpha, arms
  std::optional<OpenComparison> open_comparison;
  std::map<std::string, Parked> parked;                     // by candidate
  std::set<std::pair<std::string, std::string>> dead_ends;  // context, group
  std::map<std::string, double> reserved;                   // device seconds by job, not yet settled
  double spent_device_seconds = 0;
  double wall_seconds = 0;  // over all sessions that stopped …
  double own_seconds = 0;   // … and what of it was neither compiler, kernel, oracle nor git
  std::optional<FinalConfirmed> final_confirmation;
  std::optional<Stopped> stopped;      // of the latest session; cleared by the next
  std::optional<StopStatus> terminal;  // TARGET_MET and others are never overwritten within a session

  const Version* incumbent() const;
  const CandidateAdded* find_candidate(const std::string& digest) const;
  // Are numbers from this time bound to what is pinned now?
  bool is_comparable(const std::string& time) const { return !rebaselined || time >= *rebaselined; }
  bool is_visit(const std::string& job) const { return visits.jobs.contains(job); }
  Experiment* open_experiment();
  const Experiment* open_experiment() const;
  uint64_t decided_experiments() const;
  bool was_demoted(const std::string& candidate) const;
  bool is_dead_end(const std::string& context, const std::string& group) const;
};

Status apply(State& state, const Event& event);

}  // namespace hone::campaign
