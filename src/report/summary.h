// Summary: the final figures of one campaign as `hone.report/1` and as text for people. Made from the State and the
// blobs that it names alone, so that it can be made on another machine, years later. Times are seconds, shares are
// fractions; a number that cannot be had is absent. Failure: as views::read_story. No shared state; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "views/figures.h"
#include "views/story.h"

namespace hone::report {

struct VersionSummary {
  std::string version;
  std::string candidate;  // digest
  std::string commit;
  uint64_t experiment = 0;  // 0 for v0
  bool demoted = false;
  std::optional<double> seconds;
  std::optional<double> speedup;  // against its parent
  std::optional<campaign::Interval> speedup_interval;
};

struct LogHead {
  uint64_t events = 0;
  std::string hash;  // of the last line; empty when unknown
};

struct Summary {
  std::string schema = "hone.report/1";
  std::string task;
  std::string task_digest;
  std::string device;
  std::string device_key;
  std::string status;  // TARGET_MET, PLATEAU, …; RUNNING, NEW
  std::string reason;
  bool improved = false;  // an accepted version is better than v0
  std::string best;       // "v3"; empty before v0
  std::string best_candidate;
  views::Proof proof = views::Proof::none;  // how best against v0 is known
  std::optional<double> baseline_s;
  std::optional<double> final_s;
  std::optional<double> speedup;  // best against v0: present when proof is direct
  std::optional<campaign::Interval> speedup_interval;
  std::optional<double> headline_speedup;  // the interval's lower end when the gain is small, else speedup
  std::optional<double> target_s;
  std::string target_origin;  // "contract", "… (derived)", …; "none" without a target
  std::optional<double> floor_s;
  std::optional<double> fraction_of_floor;
  std::optional<double> round_noise;  // of the last comparison
  std::optional<double> smallest_promotable_gain;
  std::string trust;
  std::vector<std::string> layers;
  std::vector<VersionSummary> versions;
  uint64_t experiments = 0;  // decided
  uint64_t promotions = 0;
  uint64_t demotions = 0;
  uint64_t comparisons = 0;
  uint64_t sessions = 0;
  double device_seconds = 0;
  double wall_seconds = 0;  // of sessions that stopped
  double own_seconds = 0;   // neither compiler, kernel, oracle nor git
  std::optional<double> own_time_fraction;
  std::string go_on;  // command; empty when nothing is left to resume
  LogHead log;
};

Result<Summary> summarize(const campaign::State& state, const task::Task& task, const views::ReadBlob& read_blob);

// A short report for a terminal, ends with a newline.
std::string to_text(const Summary& summary);
// One aligned line per campaign under a heading: name, baseline, final, speed-up with interval, share of the floor,
// status.
std::string to_table(std::span<const Summary> summaries);

template <class A>
void describe(A& a, VersionSummary& v) {
  a.field("version", v.version);
  a.field("candidate", v.candidate);
  a.field("commit", v.commit);
  a.field("experiment", v.experiment);
  a.field("demoted", v.demoted);
  a.field("seconds", v.seconds);
  a.field("speedup", v.speedup);
  a.field("speedup_interval", v.speedup_interval);
}

template <class A>
void describe(A& a, LogHead& v) {
  a.field("events", v.events);
  a.field("hash", v.hash);
}

template <class A>
void describe(A& a, Summary& v) {
  a.field("schema", v.schema);
  a.field("task", v.task);
  a.field("task_digest", v.task_digest);
  a.field("device", v.device);
  a.field("device_key", v.device_key);
  a.field("status", v.status);
  a.field("reason", v.reason);
  a.field("improved", v.improved);
  a.field("best", v.best);
  a.field("best_candidate", v.best_candidate);
  a.field("proof", v.proof);
  a.field("baseline_s", v.baseline_s);
  a.field("final_s", v.final_s);
  a.field("speedup", v.speedup);
  a.field("speedup_interval", v.speedup_interval);
  a.field("headline_speedup", v.headline_speedup);
  a.field("target_s", v.target_s);
  a.field("target_origin", v.target_origin);
  a.field("floor_s", v.floor_s);
  a.field("fraction_of_floor", v.fraction_of_floor);
  a.field("round_noise", v.round_noise);
  a.field("smallest_promotable_gain", v.smallest_promotable_gain);
  a.field("trust", v.trust);
  a.field("layers", v.layers);
  a.field("versions", v.versions);
  a.field("experiments", v.experiments);
  a.field("promotions", v.promotions);
  a.field("demotions", v.demotions);
  a.field("comparisons", v.comparisons);
  a.field("sessions", v.sessions);
  a.field("device_seconds", v.device_seconds);
  a.field("wall_seconds", v.wall_seconds);
  a.field("own_seconds", v.own_seconds);
  a.field("own_time_fraction", v.own_time_fraction);
  a.field("go_on", v.go_on);
  a.field("log", v.log);
}

}  // namespace hone::report
