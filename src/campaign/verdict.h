// Verdict: the one answer of a judging job, as JSON `hone.verdict/1`. Times are seconds, gains and errors are
// fractions. A number that was not obtained is absent; a failed run never carries a time. Plain values that can be
// copied between processes and kept for years.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/enums.h"
#include "base/json.h"

namespace hone::campaign {

enum class Question { verify, measure, screen, compare, estimate, admit };

enum class Outcome {
  correct,   // verify: every trial passed; admit: every impostor was rejected
  measured,  // measure: figures, no decision
  screened,  // screen: rough ratios for a search, no decision
  faster,
  not_faster,
  inconclusive,
  suspect,
  violation,
  incorrect_shape,
  incorrect_dtype,
  incorrect_numerical,
  compile_error,
  launch_error,
  runtime_error,
  timeout,
  out_of_memory,
  contract_error,
  invalid_reference,
  incumbent_wrong,
};

// A candidate that failed before any decision about speed.
bool is_failure(Outcome outcome);
// The task itself is at fault: the loop stops.
bool is_task_fault(Outcome outcome);

struct Interval {
  double low = 0;
  double high = 0;
};

// Order statistics of the launch times of one arm in one case.
struct CaseTimes {
  std::string case_id;
  double weight = 1;
  uint64_t launches = 0;
  double p50_s = 0;
  double p95_s = 0;
  double p99_s = 0;
  double mean_s = 0;
  double minimum_s = 0;
  std::optional<double> floor_s;             // physical floor of the case
  std::optional<std::string> floor_binding;  // what binds it
  std::optional<double> bytes;               // minimal traffic of one launch
  std::optional<double> flops;
};

struct Mismatch {
  std::string case_id;  // opaque for hidden cases
  std::string distribution;
  std::string argument;
  std::optional<uint64_t> index;  // flat element index; like all that follows, absent or empty for hidden cases
  std::string expected;
  std::string found;
  std::optional<double> error_over_bound;
};

struct Correctness {
  uint64_t trials = 0;
  uint64_t cases = 0;
  uint64_t elements_compared = 0;
  uint64_t launches_checked_against_pair = 0;
  uint64_t launches_checked_against_oracle = 0;
  std::optional<double> worst_error_over_bound;  // 1 = at the bound
  std::optional<double> worst_absolute_error;
  std::optional<double> worst_relative_error;
  std::optional<Mismatch> first_mismatch;
  uint64_t skipped_stress_cases = 0;  // the oracle was not finite or not sensitive there
};

// Counts add up, errors keep the worst, the first mismatch stays; `cases` is the most of either.
void add(Correctness& total, const Correctness& more);

struct LookRecord {
  std::string stage;  // "stage1", "confirmation"
  uint64_t rounds = 0;
  double p_value = 1;
  double alpha = 0;
  double gain = 0;  // pseudo-median of −d so far
  bool passed = false;
};

struct Comparison {
  uint64_t k = 1;
  double alpha = 0;
  double minimum_gain = 0;  // δ, in ln
  std::vector<LookRecord> looks;
  uint64_t stage1_rounds = 0;
  uint64_t confirmation_rounds = 0;
  uint64_t discarded_quads = 0;
  std::optional<double> gain;             // ln, Hodges–Lehmann of the confirmation, else of stage 1
  std::optional<Interval> gain_interval;  // exact 95 %
  std::optional<double> speedup;
  std::optional<Interval> speedup_interval;
  std::optional<double> round_noise;               // standard deviation of d over rounds
  std::optional<double> smallest_promotable_gain;  // at 90 % power with this noise
  std::map<std::string, double> harm_p_values;     // per timed case
  std::optional<double> tail_p_value;
  std::optional<double> headline_speedup;  // lower end of the interval when the gain is < 3 %
};

// One configuration of a search.
struct ScreenResult {
  std::string candidate;        // digest
  std::string outcome;          // "ok" or an outcome's name
  std::optional<double> ratio;  // time over the incumbent's time, paired
  std::string message;
};

// What a kernel of the candidate takes of its device. Registers and memory as its binary says; occupancy as the
// device's driver works it out for the kernel's first launch in the timed case of the largest weight (of several the
// first; hidden ones are not told), clusters left aside. Absent what nobody says.
struct KernelUse {
  std::string kernel;
  std::optional<uint64_t> registers;              // of a thread
  std::optional<uint64_t> shared_bytes;           // of a block, what is declared with a size
  std::optional<uint64_t> local_bytes;            // of a thread: stack frames and spills
  std::optional<uint64_t> resident_blocks = {};   // of a multiprocessor, at once
  std::optional<double> occupancy_fraction = {};  // of a multiprocessor's threads, 0 … 1, warps being whole
};

// What a vendor's checker of device code saw in the candidate's kernels. Its words, and the candidate's names and
// files, are quoted untrusted text.
struct SanitizerFinding {
  std::string kind;  // "invalid access", "race", "uninitialised read", "other"
  std::string message;
  std::string space;  // "global", "shared"; empty where nobody says
  std::string kernel;
  std::string file;              // empty, like
  std::optional<uint64_t> line;  // this absent, where the binary does not say
  uint64_t count = 1;
};

// One of its tools over launches of the candidate's.
struct SanitizerCheck {
  std::string tool;       // "memcheck", "racecheck", "initcheck"
  std::string state;      // "finished", "timed out", "failed", "absent", "disabled"
  uint64_t launches = 0;  // of different shapes, that it watched to their end
  uint64_t asked = 0;     // that it was to watch
  double seconds = 0;     // wall time
  std::string note;       // why it did not see them all
  std::vector<SanitizerFinding> findings;
};

// Before a promotion; no verdict hangs on a tool that did not come to its end.
struct Sanitizing {
  std::vector<SanitizerCheck> checks;
};

struct Verdict {
  std::string schema = "hone.verdict/1";
  Question question = Question::verify;
  Outcome outcome = Outcome::inconclusive;
  std::string reason;   // one word or a short phrase from a fixed table; empty when the outcome says all
  std::string message;  // one sentence for people, trusted text
  std::string details;  // compiler output, captured output: quoted untrusted text
  std::string task_digest;
  std::string candidate;  // digest
  std::optional<std::string> incumbent;
  std::string device_key;
  std::string device_name;
  std::string trust;
  std::string toolchain;
  std::vector<std::string> layers;  // active confinement
  std::string judge_version;
  std::optional<Correctness> correctness;
  std::optional<Comparison> comparison;
  std::vector<CaseTimes> candidate_times;
  std::vector<CaseTimes> incumbent_times;
  std::vector<ScreenResult> screened;
  std::vector<KernelUse> kernels;
  std::optional<Sanitizing> sanitizer;  // absent: not asked, or the device has none
  std::vector<std::string> notes;       // scrutiny done, repetition of a large delta, reduced oracle checks, …
  std::vector<std::string> sub_keys;    // logged after the decision so that a failure can be replayed
  double device_seconds = 0;
  double oracle_seconds = 0;
  double build_seconds = 0;  // wall time that was waited for builds: those at the same time count once
  std::map<std::string, double> step_seconds;  // the judge's waiting by what it waited for; not its own wall time
};

// Geometric mean of p50 over cases with their weights, in seconds; absent without times.
std::optional<double> summary_seconds(const std::vector<CaseTimes>& times);

template <class A>
void describe(A& a, Interval& v) {
  a.field("low", v.low);
  a.field("high", v.high);
}

template <class A>
void describe(A& a, CaseTimes& v) {
  a.field("case", v.case_id);
  a.field("weight", v.weight);
  a.field("launches", v.launches);
  a.field("p50_s", v.p50_s);
  a.field("p95_s", v.p95_s);
  a.field("p99_s", v.p99_s);
  a.field("mean_s", v.mean_s);
  a.field("minimum_s", v.minimum_s);
  a.field("floor_s", v.floor_s);
  a.field("floor_binding", v.floor_binding);
  a.field("bytes", v.bytes);
  a.field("flops", v.flops);
}

template <class A>
void describe(A& a, Mismatch& v) {
  a.field("case", v.case_id);
  a.field("distribution", v.distribution);
  a.field("argument", v.argument);
  a.field("index", v.index);
  a.field("expected", v.expected);
  a.field("found", v.found);
  a.field("error_over_bound", v.error_over_bound);
}

template <class A>
void describe(A& a, Correctness& v) {
  a.field("trials", v.trials);
  a.field("cases", v.cases);
  a.field("elements_compared", v.elements_compared);
  a.field("launches_checked_against_pair", v.launches_checked_against_pair);
  a.field("launches_checked_against_oracle", v.launches_checked_against_oracle);
  a.field("worst_error_over_bound", v.worst_error_over_bound);
  a.field("worst_absolute_error", v.worst_absolute_error);
  a.field("worst_relative_error", v.worst_relative_error);
  a.field("first_mismatch", v.first_mismatch);
  a.field("skipped_stress_cases", v.skipped_stress_cases);
}

template <class A>
void describe(A& a, LookRecord& v) {
  a.field("stage", v.stage);
  a.field("rounds", v.rounds);
  a.field("p_value", v.p_value);
  a.field("alpha", v.alpha);
  a.field("gain", v.gain);
  a.field("passed", v.passed);
}

template <class A>
void describe(A& a, Comparison& v) {
  a.field("k", v.k);
  a.field("alpha", v.alpha);
  a.field("minimum_gain", v.minimum_gain);
  a.field("looks", v.looks);
  a.field("stage1_rounds", v.stage1_rounds);
  a.field("confirmation_rounds", v.confirmation_rounds);
  a.field("discarded_quads", v.discarded_quads);
  a.field("gain", v.gain);
  a.field("gain_interval", v.gain_interval);
  a.field("speedup", v.speedup);
  a.field("speedup_interval", v.speedup_interval);
  a.field("round_noise", v.round_noise);
  a.field("smallest_promotable_gain", v.smallest_promotable_gain);
  a.field("harm_p_values", v.harm_p_values);
  a.field("tail_p_value", v.tail_p_value);
  a.field("headline_speedup", v.headline_speedup);
}

template <class A>
void describe(A& a, ScreenResult& v) {
  a.field("candidate", v.candidate);
  a.field("outcome", v.outcome);
  a.field("ratio", v.ratio);
  a.field("message", v.message);
}

template <class A>
void describe(A& a, KernelUse& v) {
  a.field("kernel", v.kernel);
  a.field("registers", v.registers);
  a.field("shared_bytes", v.shared_bytes);
  a.field("local_bytes", v.local_bytes);
  a.field("resident_blocks", v.resident_blocks);
  a.field("occupancy_fraction", v.occupancy_fraction);
}

template <class A>
void describe(A& a, SanitizerFinding& v) {
  a.field("kind", v.kind);
  a.field("message", v.message);
  a.field("space", v.space);
  a.field("kernel", v.kernel);
  a.field("file", v.file);
  a.field("line", v.line);
  a.field("count", v.count);
}

template <class A>
void describe(A& a, SanitizerCheck& v) {
  a.field("tool", v.tool);
  a.field("state", v.state);
  a.field("launches", v.launches);
  a.field("asked", v.asked);
  a.field("seconds", v.seconds);
  a.field("note", v.note);
  a.field("findings", v.findings);
}

template <class A>
void describe(A& a, Sanitizing& v) {
  a.field("checks", v.checks);
}

template <class A>
void describe(A& a, Verdict& v) {
  a.field("schema", v.schema);
  a.field("question", v.question);
  a.field("outcome", v.outcome);
  a.field("reason", v.reason);
  a.field("message", v.message);
  a.field("details", v.details);
  a.field("task_digest", v.task_digest);
  a.field("candidate", v.candidate);
  a.field("incumbent", v.incumbent);
  a.field("device_key", v.device_key);
  a.field("device_name", v.device_name);
  a.field("trust", v.trust);
  a.field("toolchain", v.toolchain);
  a.field("layers", v.layers);
  a.field("judge_version", v.judge_version);
  a.field("correctness", v.correctness);
  a.field("comparison", v.comparison);
  a.field("candidate_times", v.candidate_times);
  a.field("incumbent_times", v.incumbent_times);
  a.field("screened", v.screened);
  a.field("kernels", v.kernels);
  a.field("sanitizer", v.sanitizer);
  a.field("notes", v.notes);
  a.field("sub_keys", v.sub_keys);
  a.field("device_seconds", v.device_seconds);
  a.field("oracle_seconds", v.oracle_seconds);
  a.field("build_seconds", v.build_seconds);
  a.field("step_seconds", v.step_seconds);
}

}  // namespace hone::campaign

namespace hone {

template <>
struct EnumNames<campaign::Question> {
  using T = campaign::Question;
  static constexpr EnumName<T> table[] = {{T::verify, "verify"},   {T::measure, "measure"},   {T::screen, "screen"},
                                          {T::compare, "compare"}, {T::estimate, "estimate"}, {T::admit, "admit"}};
};
template <>
struct EnumNames<campaign::Outcome> {
  using T = campaign::Outcome;
  static constexpr EnumName<T> table[] = {{T::correct, "CORRECT"},
                                          {T::measured, "MEASURED"},
                                          {T::screened, "SCREENED"},
                                          {T::faster, "FASTER"},
                                          {T::not_faster, "NOT_FASTER"},
                                          {T::inconclusive, "INCONCLUSIVE"},
                                          {T::suspect, "SUSPECT"},
                                          {T::violation, "VIOLATION"},
                                          {T::incorrect_shape, "INCORRECT_SHAPE"},
                                          {T::incorrect_dtype, "INCORRECT_DTYPE"},
                                          {T::incorrect_numerical, "INCORRECT_NUMERICAL"},
                                          {T::compile_error, "COMPILE_ERROR"},
                                          {T::launch_error, "LAUNCH_ERROR"},
                                          {T::runtime_error, "RUNTIME_ERROR"},
                                          {T::timeout, "TIMEOUT"},
                                          {T::out_of_memory, "OUT_OF_MEMORY"},
                                          {T::contract_error, "CONTRACT_ERROR"},
                                          {T::invalid_reference, "INVALID_REFERENCE"},
                                          {T::incumbent_wrong, "INCUMBENT_WRONG"}};
};

}  // namespace hone
