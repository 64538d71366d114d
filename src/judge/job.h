// What control asks of a judge, and what comes back while it works. The same words travel over a descriptor to `hone
// judge` (docs/judge-protocol.md: one JSON object a line) and are answered from a tape in tests. Plain values. A job
// names everything that its answer depends on; nothing is looked up elsewhere but the task's frozen folder.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "campaign/verdict.h"
#include "device/ceilings.h"
#include "device/header_roots.h"
#include "stats/rounds.h"
#include "task/candidate.h"

namespace hone::judge {

// A candidate as it travels: source text (UTF-8) and choices.
struct CandidateText {
  struct File {
    std::string path;
    bool executable = false;
    std::string text;
  };
  std::vector<File> files;
  std::map<std::string, std::string> values;
  std::vector<std::string> options;
  std::optional<std::string> launches = {};  // [[launch]] tables of its variant.toml; absent: the contract's
};

CandidateText to_text(const task::Candidate& candidate);
task::Candidate to_candidate(const CandidateText& text);

// The raw data of one round: per case the quads in launch order, times in nanoseconds.
struct CaseSamples {
  std::string case_id;
  std::vector<std::string> orders;            // "ABBA" (incumbent first) or "BAAB"
  std::vector<std::vector<double>> times_ns;  // four per quad
  uint64_t discarded_incumbent_first = 0;
  uint64_t discarded_candidate_first = 0;
};

struct RoundRecord {
  std::string stage;  // "stage1", "confirmation"
  uint64_t index = 0;
  double gain = 0;  // −d of the round, ln
  std::vector<CaseSamples> cases;
  std::vector<std::string> sub_keys;  // of the checked pairs
};

stats::Round to_round(const RoundRecord& record, const std::vector<std::string>& timed_cases);

struct JudgingJob {
  std::string id;  // unique within the campaign
  campaign::Question question = campaign::Question::verify;
  std::string task_folder;                 // the frozen contract
  std::optional<std::string> hidden_file;  // the cases that the contract commits to; nobody but the judge reads it
  CandidateText candidate;
  std::optional<CandidateText> incumbent;  // compare, screen
  std::optional<CandidateText> baseline;   // v0, for rules relative to its error
  std::vector<CandidateText> screened;     // screen: the configurations, in order
  uint64_t k = 1;                          // number of this comparison in its campaign
  uint64_t portfolio = 1;
  std::vector<RoundRecord> earlier_rounds;  // already logged before an interruption
  uint64_t trials = 20;                     // verify
  double time_limit_s = 0;                  // screen, measure: stop early after this long; 0 = none
  std::vector<int> cores;
  std::optional<std::string> device;  // which of its backend's devices; absent: the first
  std::optional<device::Ceilings> ceilings;
  std::vector<device::HeaderRoot> header_roots = {};  // of [kernel] include, which the judge holds to their digests
};

// What a job's observer hears while the judge works.
struct Progress {
  std::string phase;  // "build", "verify", "screen", "stage 1", "confirmation", …
  uint64_t done = 0;
  uint64_t total = 0;
  std::string note;
};

// Called in order, never concurrently. `round` returns after the round is durable; an error there ends the job.
struct Observer {
  std::function<Status(const RoundRecord&)> round = [](const RoundRecord&) { return ok(); };
  std::function<void(const Progress&)> progress = [](const Progress&) {};
  std::function<bool()> cancelled = [] { return false; };
};

template <class A>
void describe(A& a, CandidateText::File& v) {
  a.field("path", v.path);
  a.field("executable", v.executable);
  a.field("text", v.text);
}

template <class A>
void describe(A& a, CandidateText& v) {
  a.field("files", v.files);
  a.field("values", v.values);
  a.field("options", v.options);
  a.field("launches", v.launches);
}

template <class A>
void describe(A& a, CaseSamples& v) {
  a.field("case", v.case_id);
  a.field("orders", v.orders);
  a.field("times_ns", v.times_ns);
  a.field("discarded_incumbent_first", v.discarded_incumbent_first);
  a.field("discarded_candidate_first", v.discarded_candidate_first);
}

template <class A>
void describe(A& a, RoundRecord& v) {
  a.field("stage", v.stage);
  a.field("index", v.index);
  a.field("gain", v.gain);
  a.field("cases", v.cases);
  a.field("sub_keys", v.sub_keys);
}

template <class A>
void describe(A& a, JudgingJob& v) {
  a.field("id", v.id);
  a.field("question", v.question);
  a.field("task_folder", v.task_folder);
  a.field("hidden_file", v.hidden_file);
  a.field("candidate", v.candidate);
  a.field("incumbent", v.incumbent);
  a.field("baseline", v.baseline);
  a.field("screened", v.screened);
  a.field("k", v.k);
  a.field("portfolio", v.portfolio);
  a.field("earlier_rounds", v.earlier_rounds);
  a.field("trials", v.trials);
  a.field("time_limit_s", v.time_limit_s);
  a.field("cores", v.cores);
  a.field("device", v.device);
  a.field("ceilings", v.ceilings);
  a.field("header_roots", v.header_roots);
}

template <class A>
void describe(A& a, Progress& v) {
  a.field("phase", v.phase);
  a.field("done", v.done);
  a.field("total", v.total);
  a.field("note", v.note);
}

}  // namespace hone::judge
