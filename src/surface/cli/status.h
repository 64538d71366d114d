// What `hone status --json` prints: hone.status/1. Made from the folded State alone, so that it is quick and works
// while another hone runs. Times are seconds; a number that nothing measured is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/json.h"
#include "campaign/state.h"
#include "loop/store.h"
#include "record/lock.h"

namespace hone::cli {

struct OpenExperiment {
  uint64_t experiment = 0;
  int tier = 1;
  std::string change;
  std::string phase;  // "searching", "judging"
};

struct AtWork {
  int64_t pid = 0;
  std::string since;
  std::string command;
};

struct StatusDocument {
  std::string schema = "hone.status/1";
  std::string task;
  std::string campaign;           // folder
  std::string status;             // TARGET_MET, PLATEAU, …; RUNNING, NEW
  std::string reason;             // of a stop
  std::optional<AtWork> at_work;  // the hone that holds the campaign now
  std::string device;
  std::string best;  // "v3"; empty before v0
  std::string best_candidate;
  std::optional<double> baseline_s;  // as last measured
  std::optional<double> best_s;
  std::optional<double> speedup;  // of best, by one comparison with v0 itself
  std::optional<campaign::Interval> speedup_interval;
  uint64_t versions = 0;
  uint64_t experiments = 0;  // decided
  std::optional<OpenExperiment> open_experiment;
  uint64_t comparisons = 0;
  uint64_t rounds = 0;  // of the comparison that is open
  uint64_t parked = 0;
  uint64_t dead_ends = 0;
  double device_seconds = 0;
  double wall_seconds = 0;  // of sessions that stopped
  uint64_t events = 0;
  std::string head;
  uint64_t torn_bytes = 0;  // after the last whole line: an append under way, or cut short
  std::string next;         // command to go on; empty when nothing is left
};

StatusDocument status_of(const loop::ReadOnly& log, const fs::path& folder,
                         const std::optional<record::LockNote>& holder);
std::string to_text(const StatusDocument& document);

template <class A>
void describe(A& a, OpenExperiment& v) {
  a.field("experiment", v.experiment);
  a.field("tier", v.tier);
  a.field("change", v.change);
  a.field("phase", v.phase);
}

template <class A>
void describe(A& a, AtWork& v) {
  a.field("pid", v.pid);
  a.field("since", v.since);
  a.field("command", v.command);
}

template <class A>
void describe(A& a, StatusDocument& v) {
  a.field("schema", v.schema);
  a.field("task", v.task);
  a.field("campaign", v.campaign);
  a.field("status", v.status);
  a.field("reason", v.reason);
  a.field("at_work", v.at_work);
  a.field("device", v.device);
  a.field("best", v.best);
  a.field("best_candidate", v.best_candidate);
  a.field("baseline_s", v.baseline_s);
  a.field("best_s", v.best_s);
  a.field("speedup", v.speedup);
  a.field("speedup_interval", v.speedup_interval);
  a.field("versions", v.versions);
  a.field("experiments", v.experiments);
  a.field("open_experiment", v.open_experiment);
  a.field("comparisons", v.comparisons);
  a.field("rounds", v.rounds);
  a.field("parked", v.parked);
  a.field("dead_ends", v.dead_ends);
  a.field("device_seconds", v.device_seconds);
  a.field("wall_seconds", v.wall_seconds);
  a.field("events", v.events);
  a.field("head", v.head);
  a.field("torn_bytes", v.torn_bytes);
  a.field("next", v.next);
}

}  // namespace hone::cli
