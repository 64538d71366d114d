// A campaign for tests of views and reports, told by its events: a baseline, two promotions with a failure, a
// regression, an unstable one and a parked one between them, a final confirmation, a plateau. Blobs live in a map.
// Every piece can be left out or changed.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "campaign/testing/history.h"
#include "campaign/testing/sample_events.h"
#include "task/task.h"
#include "views/story.h"

namespace hone::views::testing {

using campaign::Outcome;
using campaign::testing::digest_of;

inline task::Task example_task() {
  task::Task task;
  task.name = "softmax";
  task.summary = "Row softmax of a matrix";
  task.digest = sha256("softmax task");
  task::Argument input;
  input.name = "x";
  task::Argument output;
  output.name = "y";
  output.role = task::Role::out;
  task.arguments = {input, output};
  task::Case small{
      "small", {{"m", int64_t{64}}, {"n", int64_t{512}}}, {task::Purpose::verify, task::Purpose::time}, false, 1};
  task::Case large{"large", {{"m", int64_t{512}}, {"n", int64_t{2048}}}, {task::Purpose::time}, false, 3};
  task.cases = {small, large};
  task::Parameter block;
  block.name = "BLOCK";
  block.tier = 1;
  task::Parameter vector;
  vector.name = "VECTOR";
  vector.tier = 3;
  task.parameters = {block, vector};
  return task;
}

class ExampleCampaign {
 public:
  campaign::testing::History history;

  std::string store(const std::string& bytes) {
    const Digest digest = sha256(bytes);
    blobs_[digest] = bytes;
    return digest.hex();
  }
  std::string store(const campaign::Verdict& verdict) { return store(json::to_text(verdict)); }
  void forget_blobs() { blobs_.clear(); }
  ReadBlob reader() const {
    return [this](const Digest& digest) -> Result<std::string> {
      const auto found = blobs_.find(digest);
      if (found == blobs_.end()) return Error{ErrorCode::io, "no such blob"};
      return found->second;
    };
  }
  const campaign::State& state() const { return history.state(); }

 private:
  std::map<Digest, std::string> blobs_;
};

inline std::vector<campaign::CaseTimes> times_of(double seconds) {
  const auto one = [](std::string id, double weight, double p50, double floor) {
    campaign::CaseTimes out{std::move(id), weight,     240,   p50,      p50 * 1.05,   p50 * 1.1,
                            p50 * 1.01,    p50 * 0.98, floor, "memory", floor * 1e10, floor * 2e9};
    return out;
  };
  return {one("small", 1, seconds / 8, 25e-6), one("large", 3, seconds, 200e-6)};
}

inline campaign::Verdict verdict_of(Outcome outcome, const std::string& candidate) {
  campaign::Verdict out;
  out.outcome = outcome;
  out.candidate = candidate;
  out.task_digest = sha256("softmax task").hex();
  out.device_name = "AMD EPYC 9454";
  out.trust = "host-code";
  out.toolchain = "g++ 12.2.0";
  out.layers = {"pid-namespace", "mount-namespace", "no-new-privileges", "resource-limits", "seccomp"};
  return out;
}

inline campaign::Verdict measurement(const std::string& candidate, double seconds) {
  campaign::Verdict out = verdict_of(Outcome::measured, candidate);
  out.question = campaign::Question::measure;
  out.candidate_times = times_of(seconds);
  return out;
}

inline campaign::Verdict comparison(Outcome outcome, const std::string& candidate, const std::string& incumbent,
                                    uint64_t k, double incumbent_s, double candidate_s) {
  campaign::Verdict out = verdict_of(outcome, candidate);
  out.question = campaign::Question::compare;
  out.incumbent = incumbent;
  out.candidate_times = times_of(candidate_s);
  out.incumbent_times = times_of(incumbent_s);
  out.correctness = campaign::Correctness{20, 2, 4'194'304, 960, 48, 0.25, 1e-7, 3e-7, {}, 1};
  campaign::Comparison result;
  result.k = k;
  result.alpha = std::min(0.05, 5.0 / static_cast<double>(k * (k + 1)));
  result.minimum_gain = 0.00995;
  result.stage1_rounds = 12;
  result.confirmation_rounds = 24;
  result.speedup = incumbent_s / candidate_s;
  result.speedup_interval = campaign::Interval{*result.speedup * 0.99, *result.speedup * 1.01};
  result.gain = std::log(*result.speedup);
  result.round_noise = 0.011;
  result.smallest_promotable_gain = 0.021;
  out.comparison = result;
  return out;
}

// Opening, session, candidates a (baseline), b, c, d and v0.
inline void add_baseline(ExampleCampaign& example, double seconds = 2e-3) {
  example.history.add(
      campaign::CampaignOpened{1, "softmax", {}, campaign::testing::sample_pins(), "first in the list of devices"});
  campaign::SessionStarted session{"hone run softmax",
                                   "tune",
                                   4711,
                                   "81234",
                                   5,
                                   40.0,
                                   {},
                                   2.857e-4,
                                   "derived: 70 % of memory bandwidth",
                                   "passed on 2026-01-02: 0 of 60 identical kernels promoted, round noise 0.23 %"};
  example.history.add(session);
  example.history.add(campaign::CandidateAdded{digest_of('a'), {}, "baseline", {}, {}, {}});
  for (const char one : {'b', 'c', 'd'})
    example.history.add(campaign::CandidateAdded{digest_of(one), digest_of('a'), "tune", {}, {}, {}});
  example.history.add(campaign::BaselineSet{digest_of('a'), example.store(measurement(digest_of('a'), seconds)),
                                            "tree0", digest_of('0').substr(0, 40), "7:00", 7});
  example.history.add(campaign::Diagnosed{digest_of('a'),
                                          "memory",
                                          "roofline of the contract",
                                          "low",
                                          2e-4,
                                          0.1,
                                          {1, 2, 3},
                                          "moves 8 MiB, does little arithmetic",
                                          {}});
}

struct Trial {
  uint64_t number;
  int tier;
  std::string change;
  char parent;
  char candidate;
  campaign::ExperimentStatus status;
  std::optional<double> delta;
};

// One experiment from start to decision, with the comparison charged when the verdict has one.
inline void add_experiment(ExampleCampaign& example, const Trial& trial, const campaign::Verdict& verdict) {
  const std::string digest = digest_of(trial.candidate);
  const std::string parent = digest_of(trial.parent);
  const std::string job = fmt::format("j{}", trial.number);
  const std::string blob = example.store(verdict);
  example.history.add(campaign::ExperimentStarted{
      trial.number, parent, trial.tier, fmt::format("tunables of tier {}", trial.tier), "it will be faster",
      trial.change, "latency falls by 5 %", "promote when proven faster by 1 %"});
  example.history.add(campaign::CandidateOffered{trial.number, digest});
  if (verdict.comparison)
    example.history.add(
        campaign::ComparisonCharged{job, verdict.comparison->k, verdict.comparison->alpha, digest, parent});
  campaign::Judged judged{
      job, "key " + job, verdict.question, digest, parent, verdict.outcome, verdict.reason, blob, {}, {}, {}, {}, 2.5};
  if (verdict.comparison) {
    judged.speedup = verdict.comparison->speedup;
    judged.speedup_interval = verdict.comparison->speedup_interval;
  }
  example.history.add(judged);
  example.history.add(campaign::BudgetReserved{job, 6}).add(campaign::BudgetSettled{job, 2.5});
  example.history.add(
      campaign::Decided{trial.number, trial.status, verdict.outcome, verdict.reason, trial.delta, blob});
}

inline void add_promotion(ExampleCampaign& example, uint64_t version, uint64_t experiment, char candidate) {
  const campaign::State& state = example.state();
  example.history.add(campaign::Promoted{version, experiment, digest_of(candidate), state.incumbent()->commit,
                                         "tree" + std::to_string(version),
                                         digest_of(static_cast<char>('0' + version)).substr(0, 40),
                                         *state.experiments[experiment - 1].decided->verdict, "9:00", 9});
}

inline void add_search(ExampleCampaign& example, const Trial& trial) {
  const std::vector<campaign::SearchStep> steps{{digest_of('b'), "ok", 0.5, "BLOCK=64"},
                                                {digest_of('c'), "ok", 1.02, "BLOCK=2"},
                                                {digest_of('d'), "COMPILE_ERROR", {}, "BLOCK=0"}};
  example.history.add(
      campaign::Searched{trial.number, 3, digest_of('b'), 0.5, example.store(json::to_text(steps)), 1.25});
}

inline campaign::Verdict compile_failure(const std::string& details) {
  campaign::Verdict out = verdict_of(Outcome::compile_error, digest_of('c'));
  out.message = "the candidate does not compile";
  out.details = details;
  return out;
}

// The steps of the whole story, in order; each leaves a valid campaign.
inline void add_first_promotion(ExampleCampaign& example) {
  add_experiment(example, {1, 1, "BLOCK 1 to 64", 'a', 'b', campaign::ExperimentStatus::improved, 1.0},
                 comparison(Outcome::faster, digest_of('b'), digest_of('a'), 1, 2e-3, 1e-3));
  add_promotion(example, 1, 1, 'b');
}

inline void add_failures(ExampleCampaign& example) {
  using campaign::ExperimentStatus;
  add_experiment(example, {2, 2, "restrict pointers", 'b', 'c', ExperimentStatus::failed, {}},
                 compile_failure("softmax.cc:3:1: error: expected ';'"));
  add_experiment(example, {3, 2, "prefetch", 'b', 'c', ExperimentStatus::regressed, -0.12},
                 comparison(Outcome::not_faster, digest_of('c'), digest_of('b'), 2, 1e-3, 1.12e-3));
  add_experiment(example, {4, 2, "streaming stores", 'b', 'c', ExperimentStatus::unstable, 0.41},
                 comparison(Outcome::inconclusive, digest_of('c'), digest_of('b'), 3, 1e-3, 0.7e-3));
  add_experiment(example, {5, 1, "two rows at a time", 'b', 'c', ExperimentStatus::neutral, -0.004},
                 comparison(Outcome::not_faster, digest_of('c'), digest_of('b'), 4, 1e-3, 1.004e-3));
  example.history.add(campaign::Parked{digest_of('c'), 5, "needed for vector loads", "vector loads", 0.2, 8});
  example.history.add(campaign::DeadEnd{digest_of('b'), "prefetch", "slower", "another cache size"});
}

inline void add_second_promotion(ExampleCampaign& example) {
  add_experiment(example, {6, 2, "vector loads", 'b', 'd', campaign::ExperimentStatus::improved, 0.25},
                 comparison(Outcome::faster, digest_of('d'), digest_of('b'), 5, 1e-3, 0.8e-3));
  add_promotion(example, 2, 6, 'd');
}

inline void add_confirmation(ExampleCampaign& example) {
  const campaign::Verdict verdict = comparison(Outcome::faster, digest_of('d'), digest_of('a'), 6, 2.02e-3, 0.8e-3);
  example.history.add(
      campaign::ComparisonCharged{"final", 6, verdict.comparison->alpha, digest_of('d'), digest_of('a')});
  const std::string blob = example.store(verdict);
  campaign::Judged judged{
      "final", "key final", verdict.question, digest_of('d'), digest_of('a'), verdict.outcome, "", blob, {}, {}, {},
      {},      2.5};
  judged.speedup = verdict.comparison->speedup;
  judged.speedup_interval = verdict.comparison->speedup_interval;
  example.history.add(judged);
  example.history.add(campaign::FinalConfirmed{digest_of('d'), blob, verdict.comparison->speedup,
                                               verdict.comparison->speedup_interval});
}

inline void add_stop(ExampleCampaign& example, campaign::StopStatus status = campaign::StopStatus::plateau) {
  example.history.add(campaign::Stopped{status, "3 promotions in a row below 1 %", 40.5, 1.5});
}

inline ExampleCampaign whole_campaign() {
  ExampleCampaign example;
  add_baseline(example);
  add_first_promotion(example);
  add_failures(example);
  add_second_promotion(example);
  add_confirmation(example);
  add_stop(example);
  return example;
}

}  // namespace hone::views::testing
