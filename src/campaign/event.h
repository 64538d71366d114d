// Events: everything that can happen in a campaign. The only way to change state is to append one.
//
// On disk each is one line of log.jsonl:
//   {"seq":12,"time":"2026-11-29T18:24:30.123Z","type":"promoted", …fields of the type… ,"prev":"…","hash":"…"}
// Fields come in the order of `describe`; a type's name is its row in the table below. A new kind of event is one
// struct here, one row in EventBody and one case in fold.cc. Unknown types and keys are refused: an older hone must not
// guess.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"
#include "campaign/device_record.h"
#include "campaign/verdict.h"

namespace hone::campaign {

struct FileReference {
  std::string path;  // relative
  bool executable = false;
  std::string blob;  // digest of the bytes
};

// What a campaign's numbers are bound to; changed pins stop a resume (exit 3) until --rebaseline.
struct Pins {
  std::string task_digest;
  std::string device_key;
  std::string device_name;
  std::string device_uuid;
  std::vector<int> cores;
  std::string toolchain;
  std::string flags;                   // compile-option ids of the contract
  std::optional<std::string> headers;  // names and digests of its header roots; absent where it has none
  std::string rule_digest;             // over all constants of the judge
  std::string judge_version;
  std::string hone_version;
  std::optional<std::string> hidden_cases;  // SHA-256 of their file; absent while they are not used
  // What is known of the device besides, for readers: nothing is compared with it. Absent of a tape.
  std::optional<DeviceRecord> device;
};

struct CampaignOpened {
  static constexpr std::string_view type = "campaign_opened";
  int format = 1;
  std::string task_name;
  std::vector<FileReference> contract;  // task.toml, oracle and golden files, editable files as they were
  Pins pins;
  std::string device_reason;  // why this device and these cores
};

struct Rebaselined {
  static constexpr std::string_view type = "rebaselined";
  Pins pins;
};

// A `hone run` or `hone resume` begins. Limits are absent when not given.
struct SessionStarted {
  static constexpr std::string_view type = "session_started";
  std::string command;
  std::string proposer;
  int64_t pid = 0;
  std::string process_start;                // start time of the process, to tell a recycled pid
  std::optional<uint64_t> iteration_limit;  // of this session and the interrupted ones that it goes on from
  std::optional<double> time_limit_s;       // of this session
  std::optional<double> device_limit_s;     // of the campaign
  std::optional<double> target_s;           // summary seconds to reach; filled by target_chosen
  std::string target_origin;
  std::optional<std::string> selftest = {};  // what the judge's last selftest on this device said
};

// The target of the session, once the baseline's time is known.
struct TargetChosen {
  static constexpr std::string_view type = "target_chosen";
  std::optional<double> target_s;
  std::string
      origin;  // "command line", "asked", "contract", "70 % of the calibrated memory bandwidth (derived)", "none"
};

struct TailTorn {
  static constexpr std::string_view type = "tail_torn";
  uint64_t bytes = 0;
  std::string kept_in;  // relative path below torn/
};

struct CandidateAdded {
  static constexpr std::string_view type = "candidate_added";
  std::string candidate;  // digest
  std::optional<std::string> parent;
  std::string origin;  // "baseline", "tune", "script", "manual"
  std::vector<FileReference> files;
  std::map<std::string, std::string> values;
  std::vector<std::string> options;
  std::optional<std::string> launches = {};  // [[launch]] tables of its variant.toml; absent: the contract's
};

// Somebody asks the judge between runs. It comes before the job is paid for; whatever the job leaves belongs to no
// experiment and decides nothing in a run.
struct Asked {
  static constexpr std::string_view type = "asked";
  std::string job;
  std::string command;
};

// An answer of the judge: kept by key, so that it is not measured again.
struct Judged {
  static constexpr std::string_view type = "judged";
  std::string job;
  std::string key;  // question, task, candidate, incumbent, artefact inputs, toolchain, device class, judge version
  Question question = Question::verify;
  std::string candidate;
  std::optional<std::string> incumbent;
  Outcome outcome = Outcome::inconclusive;
  std::string reason;
  std::string verdict;                // blob: hone.verdict/1
  std::optional<double> candidate_s;  // summary seconds
  std::optional<double> incumbent_s;
  std::optional<double> speedup;
  std::optional<Interval> speedup_interval;
  double device_seconds = 0;
};

struct BaselineSet {
  static constexpr std::string_view type = "baseline_set";
  std::string candidate;
  std::string verdict;  // blob of the measurement
  std::string tree;
  std::string commit;
  std::string anchor;  // "lines:hash" of the log before this event; stands in the commit too
  int64_t date_s = 0;  // of the commit
};

struct Diagnosed {
  static constexpr std::string_view type = "diagnosed";
  std::string candidate;
  std::string bottleneck;  // memory, compute, latency
  std::string source;
  std::string confidence;
  std::optional<double> floor_s;
  std::optional<double> fraction_of_floor;
  std::vector<int> tier_order;
  std::string reason;
  std::vector<std::string> warnings;
};

struct ExperimentStarted {
  static constexpr std::string_view type = "experiment_started";
  uint64_t experiment = 0;
  std::string parent;  // candidate digest it starts from
  int tier = 1;
  std::string group;  // what may change: "tunables of tier 2", "option march", "manual"
  std::string hypothesis;
  std::string change;
  std::string expected;  // metric movement
  std::string decision_rule;
};

struct SearchStep {
  std::string candidate;
  std::string outcome;
  std::optional<double> ratio;
  std::string values;  // short text of what differs
};

// A search inside one group: evidence for the proposer, never a verdict.
struct Searched {
  static constexpr std::string_view type = "searched";
  uint64_t experiment = 0;
  uint64_t configurations = 0;
  std::optional<std::string> best;
  std::optional<double> best_ratio;
  std::string steps;  // blob: JSON array of SearchStep
  double device_seconds = 0;
};

struct CandidateOffered {
  static constexpr std::string_view type = "candidate_offered";
  uint64_t experiment = 0;
  std::string candidate;
};

struct ComparisonCharged {
  static constexpr std::string_view type = "comparison_charged";
  std::string job;
  uint64_t k = 0;
  double alpha = 0;
  std::string candidate;
  std::string incumbent;
};

// The comparison that is open will never have a verdict: its k stays charged, its rounds are used for nothing.
struct ComparisonAbandoned {
  static constexpr std::string_view type = "comparison_abandoned";
  std::string job;
  std::string reason;
};

struct RoundMeasured {
  static constexpr std::string_view type = "round_measured";
  std::string job;
  std::string stage;
  uint64_t index = 0;
  double gain = 0;      // −d of the round, ln
  std::string samples;  // blob: the raw round
};

enum class ExperimentStatus { target_met, improved, regressed, failed, neutral, unstable };

struct Decided {
  static constexpr std::string_view type = "decided";
  uint64_t experiment = 0;
  ExperimentStatus status = ExperimentStatus::neutral;
  Outcome outcome = Outcome::inconclusive;
  std::string reason;
  std::optional<double> delta;  // fraction: + is faster
  std::optional<std::string> verdict;
};

struct Promoted {
  static constexpr std::string_view type = "promoted";
  uint64_t version = 0;
  uint64_t experiment = 0;
  std::string candidate;
  std::string parent;  // commit of the incumbent before
  std::string tree;
  std::string commit;
  std::string verdict;
  std::string anchor;  // as in BaselineSet
  int64_t date_s = 0;
};

struct Demoted {
  static constexpr std::string_view type = "demoted";
  uint64_t version = 0;  // the version found wrong
  uint64_t to = 0;       // incumbent again
  std::string reason;
};

struct Parked {
  static constexpr std::string_view type = "parked";
  std::string candidate;
  uint64_t experiment = 0;
  std::string reason;
  std::string enables;
  std::optional<double> expected_gain;  // fraction: what the floor leaves at most; absent without a floor
  uint64_t expires_after = 0;           // experiment number
};

struct Unparked {
  static constexpr std::string_view type = "unparked";
  std::string candidate;
  std::string reason;  // "expired", "built upon", "stands on v3, which was found wrong"
};

struct DeadEnd {
  static constexpr std::string_view type = "dead_end";
  std::string context;  // the incumbent it was tried from
  std::string group;
  std::string reason;
  std::string invalidation;  // when it may be tried again
};

struct BudgetReserved {
  static constexpr std::string_view type = "budget_reserved";
  std::string job;
  double device_seconds = 0;
};

struct BudgetSettled {
  static constexpr std::string_view type = "budget_settled";
  std::string job;
  double device_seconds = 0;
};

struct FinalConfirmed {
  static constexpr std::string_view type = "final_confirmed";
  std::string candidate;
  std::string verdict;
  std::optional<double> speedup;
  std::optional<Interval> speedup_interval;
};

enum class StopStatus { target_met, max_iterations, plateau, budget, at_floor, exhausted, failed, interrupted };

// False when the next session is the same run: it goes on from where this one was.
bool ended_by_a_rule(StopStatus status);

struct Stopped {
  static constexpr std::string_view type = "stopped";
  StopStatus status = StopStatus::exhausted;
  std::string reason;
  double wall_seconds = 0;  // of the session
  double own_seconds = 0;   // neither compiler, kernel, oracle nor git
};

using EventBody = std::variant<CampaignOpened, Rebaselined, SessionStarted, TargetChosen, TailTorn, CandidateAdded,
                               Asked, Judged, BaselineSet, Diagnosed, ExperimentStarted, Searched, CandidateOffered,
                               ComparisonCharged, ComparisonAbandoned, RoundMeasured, Decided, Promoted, Demoted,
                               Parked, Unparked, DeadEnd, BudgetReserved, BudgetSettled, FinalConfirmed, Stopped>;

struct Event {
  uint64_t sequence = 0;  // from 1, without gaps
  std::string time;       // ISO 8601, UTC, milliseconds
  EventBody body;
  std::string hash = {};  // of its line in the log, 64 hex digits; empty until it is appended; never written by to_line
};

std::string_view type_of(const EventBody& body);

// The line's object without `prev` and `hash`.
std::string to_line(const Event& event);
// From a log line, with or without its chain fields.
Result<Event> from_line(std::string_view line);

}  // namespace hone::campaign

#include "campaign/event_fields.h"
