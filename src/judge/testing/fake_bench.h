// Test support: a bench that does nothing, writes down what was asked of it in order, and answers as a test has told it
// to. Acts read like "build incumbent", "verify candidate 0+5", "round stage1 3", "floors again".
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "judge/bench.h"

namespace hone::judge {

inline std::string word_of(ArmName arm) {
  return arm == ArmName::incumbent ? "incumbent" : arm == ArmName::candidate ? "candidate" : "baseline";
}

inline Failure failure_with(campaign::Outcome outcome, ArmName arm = ArmName::candidate) {
  return {outcome, arm, "planted", "a planted failure", "its output", std::nullopt};
}

class FakeBench final : public Bench {
 public:
  // ---- what a test sets ----
  std::vector<std::string> timed{"large"};
  // Gain of one round, ln(t_incumbent / t_candidate); small regular noise is added.
  std::function<double(const RoundRequest&)> gain = [](const RoundRequest&) { return 0.05; };
  double noise = 0.002;
  double incumbent_ns = 1e6;
  // Failures by the act during which they come up; `once` of them are forgotten after the first time.
  std::map<std::string, Failure> failures;
  std::map<std::string, Failure> failures_once;
  std::map<std::string, Error> errors;
  std::optional<double> floor_s;
  std::optional<double> floor_again_s;
  double slowest_oracle_seconds = 0.01;
  std::function<void(RoundRecord&)> alter = [](RoundRecord&) {};

  size_t workers = 1;

  // ---- what it saw ----
  std::vector<std::string> acts;
  // Texts of each request to build ahead, and how many acts came before it.
  struct Ahead {
    std::vector<std::string> texts;
    size_t acts_before = 0;
    bool operator==(const Ahead&) const = default;
  };
  std::vector<Ahead> ahead;

  void build_ahead(std::span<const task::Candidate> candidates, const std::function<bool()>&) override {
    Ahead& asked = ahead.emplace_back();
    for (const task::Candidate& one : candidates) asked.texts.push_back(one.files.front().bytes);
    asked.acts_before = acts.size();
  }
  size_t build_workers() const override { return workers; }

  Result<std::optional<Failure>> build(ArmName arm, const task::Candidate&) override {
    return act("build " + word_of(arm));
  }

  Result<TrialsAnswer> verify(ArmName arm, uint64_t first, uint64_t count) override {
    TrialsAnswer answer;
    HONE_TRY(answer.failure, act(fmt::format("verify {} {}+{}", word_of(arm), first, count)));
    answer.counts.trials = count;
    answer.counts.cases = 2;
    answer.counts.elements_compared = 10 * count;
    answer.counts.worst_error_over_bound = 0.5;
    return answer;
  }

  Result<TrialsAnswer> scrutinise(ArmName arm) override {
    TrialsAnswer answer;
    HONE_TRY(answer.failure, act("scrutinise " + word_of(arm)));
    answer.counts.trials = 8;
    return answer;
  }

  // What the judge's own windows show; absent: there are none.
  std::optional<double> window_gain;

  Result<WindowsAnswer> windows() override {
    WindowsAnswer answer;
    if (!window_gain) return answer;
    HONE_TRY(answer.failure, act("windows"));
    for (uint64_t number = 0; number < 12; ++number) {
      RoundRecord record;
      const double b = incumbent_ns * std::exp(-*window_gain + 1e-4 * static_cast<double>(number));
      for (const std::string& id : timed)
        record.cases.push_back({id, {"ABBA"}, {{incumbent_ns, b, b, incumbent_ns}}, 0, 0});
      answer.records.push_back(std::move(record));
    }
    answer.oracle_checks = 24;
    return answer;
  }

  // What the device's checker saw; absent: there is none.
  std::optional<campaign::Sanitizing> sanitizer;

  Result<SanitizerAnswer> sanitize() override {
    SanitizerAnswer answer;
    if (!sanitizer) return answer;
    HONE_TRY(answer.failure, act("sanitize"));
    answer.record = sanitizer;
    return answer;
  }

  Result<AdmissionAnswer> admit() override {
    AdmissionAnswer answer;
    HONE_TRY(answer.failure, act("admit"));
    answer.impostors_rejected = 11;
    answer.cases = 2;
    answer.slowest_oracle_seconds = slowest_oracle_seconds;
    return answer;
  }

  Result<RoundAnswer> round(const RoundRequest& request) override {
    RoundAnswer answer;
    HONE_TRY(answer.failure, act(fmt::format("round {} {}", request.stage, request.index)));
    answer.pair_checks = 40;
    answer.oracle_checks = 4;
    if (!answer.failure) answer.record = record_of(request);
    return answer;
  }

  Result<MeasureAnswer> measure(ArmName arm, Nanoseconds limit) override {
    MeasureAnswer answer;
    HONE_TRY(answer.failure, act(fmt::format("measure {} {:.1f}", word_of(arm), to_seconds(limit))));
    for (const std::string& id : timed) answer.times[id] = {3e6, 1e6, 2e6};
    answer.oracle_checks = 6;
    return answer;
  }

  Result<ScreenAnswer> screen(const task::Candidate& candidate, Nanoseconds) override {
    ScreenAnswer answer;
    answer.result = {candidate.digest.hex(), "ok", 0.9, ""};
    HONE_TRY(answer.failure, act("screen"));
    return answer;
  }

  Result<std::vector<CaseFloor>> floors(bool again) override {
    HONE_TRY(const auto ignored, act(again ? "floors again" : "floors"));
    std::vector<CaseFloor> floors;
    for (const std::string& id : timed)
      floors.push_back({id, 1.0, again ? floor_again_s : floor_s, "memory", 8.0, 4.0});
    return floors;
  }

  BenchReport report() const override {
    BenchReport report;
    report.device_name = "fake";
    report.trust = "host-code";
    report.notes = {"a note of the bench"};
    return report;
  }

  size_t count(const std::string& start) const {
    size_t found = 0;
    for (const std::string& one : acts) found += one.starts_with(start) ? 1 : 0;
    return found;
  }

  RoundRecord record_of(const RoundRequest& request) const {
    RoundRecord record;
    record.stage = request.stage;
    record.index = request.index;
    record.sub_keys = {fmt::format("key-{}-{}", request.stage, request.index)};
    for (const std::string& id : timed) {
      CaseSamples samples{id, {}, {}, 0, 0};
      for (size_t quad = 0; quad < 6; ++quad) add_quad(samples, request, quad);
      record.cases.push_back(std::move(samples));
    }
    alter(record);
    return record;
  }

 private:
  Result<std::optional<Failure>> act(const std::string& what) {
    acts.push_back(what);
    if (const auto error = errors.find(what); error != errors.end()) return error->second;
    if (const auto once = failures_once.find(what); once != failures_once.end()) {
      Failure failure = once->second;
      failures_once.erase(once);
      return std::optional(std::move(failure));
    }
    const auto found = failures.find(what);
    return found == failures.end() ? std::optional<Failure>() : std::optional(found->second);
  }

  // Both orders equally often, and neither arm's time depends on who ran before it.
  void add_quad(CaseSamples& samples, const RoundRequest& request, size_t quad) const {
    const bool candidate_first = (quad + request.index) % 2 == 1;
    const double wobble = noise * (static_cast<double>((request.index * 7 + 3) % 11) - 5.0) / 5.0;
    const double candidate_ns = incumbent_ns * std::exp(-gain(request) - wobble);
    const std::vector<double> led_by_incumbent{incumbent_ns, candidate_ns, candidate_ns, incumbent_ns};
    const std::vector<double> led_by_candidate{candidate_ns, incumbent_ns, incumbent_ns, candidate_ns};
    samples.orders.emplace_back(candidate_first ? "BAAB" : "ABBA");
    samples.times_ns.push_back(candidate_first ? led_by_candidate : led_by_incumbent);
  }
};

}  // namespace hone::judge
