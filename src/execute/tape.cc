#include "execute/tape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/disk.h"
#include "base/text.h"
#include "judge/hidden.h"
#include "judge/questions.h"
#include "stats/estimate.h"
#include "stats/guards.h"
#include "stats/rounds.h"
#include "task/read.h"

namespace hone::execute {

namespace {

using campaign::Outcome;
using judge::ArmName;

constexpr size_t k_tape_quads = 10;
constexpr double k_longest_time_ns = 86'400e9;

Error line_error(const std::filesystem::path& path, uint32_t line, const std::string& what) {
  return {ErrorCode::contract, what, {path.string(), line, 0}, "", "see docs/tape.md for the format"};
}

// A fixed pattern in [−1, 1] that looks like noise and is the same in every run.
double pattern(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t x = a * 0x9e3779b97f4a7c15u ^ b * 0xbf58476d1ce4e5b9u ^ c * 0x94d049bb133111ebu;
  x ^= x >> 31;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 29;
  return 2.0 * (static_cast<double>(x >> 11) * 0x1p-53) - 1.0;
}

class TapeBench final : public judge::Bench {
 public:
  TapeBench(const task::Task& task, const Tape& tape) : task_(task), tape_(tape) {}

  Result<std::optional<judge::Failure>> build(ArmName arm, const task::Candidate& candidate) override {
    arms_[arm] = candidate;
    const TapeLine* line = any_line(candidate);
    if (line != nullptr && line->verify == name_of(Outcome::compile_error))
      return std::optional(judge::Failure{Outcome::compile_error, arm, "compile_error", "the tape says so", "", {}});
    return std::optional<judge::Failure>();
  }
  Result<judge::TrialsAnswer> verify(ArmName arm, uint64_t first, uint64_t count) override;
  Result<judge::TrialsAnswer> scrutinise(ArmName arm) override { return verify(arm, 0, 8); }
  Result<judge::AdmissionAnswer> admit() override { return judge::AdmissionAnswer{{}, 0, task_.cases.size(), 0}; }
  Result<judge::RoundAnswer> round(const judge::RoundRequest& request) override;
  Result<judge::MeasureAnswer> measure(ArmName arm, Nanoseconds time_limit) override;
  Result<judge::ScreenAnswer> screen(const task::Candidate& candidate, Nanoseconds time_limit) override;
  Result<std::vector<judge::CaseFloor>> floors(bool) override {
    std::vector<judge::CaseFloor> floors;
    for (const task::Case* one : task_.cases_for(task::Purpose::time))
      floors.push_back({one->id, one->weight, {}, {}, {}, {}});
    return floors;
  }
  judge::BenchReport report() const override {
    judge::BenchReport report;
    report.device_seconds = seconds_;
    report.device_key = tape_.identity.key().hex();
    report.device_name = tape_.identity.name;
    report.trust = "tape";
    report.toolchain = tape_.identity.toolchain;
    return report;
  }

 private:
  bool matches(const TapeLine& line, const task::Candidate& candidate) const;
  const TapeLine* any_line(const task::Candidate& candidate) const;
  const TapeLine* find(const task::Candidate& candidate, const std::string& case_id) const;
  std::optional<judge::Failure> missing(ArmName arm) const;
  double time_of(const task::Candidate& candidate, const std::string& case_id, uint64_t round, uint64_t launch) const;
  judge::CaseSamples samples_of(const std::string& case_id, uint64_t round);

  const task::Task& task_;
  const Tape& tape_;
  std::map<ArmName, task::Candidate> arms_;
  double seconds_ = 0;
};

bool TapeBench::matches(const TapeLine& line, const task::Candidate& candidate) const {
  if (line.candidate && *line.candidate != "*" && !candidate.digest.hex().starts_with(*line.candidate)) return false;
  if (line.options && *line.options != candidate.variant.options) return false;
  if (!line.values) return line.candidate || line.options;
  const auto values = task::tunable_values(task_, candidate.variant);
  return std::all_of(line.values->begin(), line.values->end(), [&](const auto& wanted) {
    const auto found = values.find(wanted.first);
    return found != values.end() && found->second == wanted.second;
  });
}

const TapeLine* TapeBench::any_line(const task::Candidate& candidate) const {
  for (auto line = tape_.lines.rbegin(); line != tape_.lines.rend(); ++line) {
    if (matches(*line, candidate)) return &*line;
  }
  return nullptr;
}

const TapeLine* TapeBench::find(const task::Candidate& candidate, const std::string& case_id) const {
  for (auto line = tape_.lines.rbegin(); line != tape_.lines.rend(); ++line) {
    const bool same_case = !line->case_id || *line->case_id == case_id;
    if (same_case && line->times_ns && !line->times_ns->empty() && matches(*line, candidate)) return &*line;
  }
  return nullptr;
}

std::optional<judge::Failure> TapeBench::missing(ArmName arm) const {
  const task::Candidate& candidate = arms_.at(arm);
  const TapeLine* line = any_line(candidate);
  if (line == nullptr)
    return judge::Failure{Outcome::launch_error, arm, "not on tape", "this candidate is not on the tape", "", {}};
  const Outcome outcome = value_of<Outcome>(line->verify.value_or("CORRECT")).value_or(Outcome::correct);
  if (outcome != Outcome::correct) return judge::Failure{outcome, arm, "tape", "the tape says so", "", {}};
  for (const task::Case* one : task_.cases_for(task::Purpose::time)) {
    if (find(candidate, one->id) == nullptr)
      return judge::Failure{
          Outcome::launch_error, arm, "not on tape", fmt::format("case '{}' is not on the tape", one->id), "", {}};
  }
  return std::nullopt;
}

double TapeBench::time_of(const task::Candidate& candidate, const std::string& case_id, uint64_t round,
                          uint64_t launch) const {
  const TapeLine& line = *find(candidate, case_id);
  const auto& launches = (*line.times_ns)[round % line.times_ns->size()];
  if (launches.empty()) return 1.0;
  const double spread = line.noise.value_or(0.0) * pattern(round + 1, launch + 1, candidate.digest.bytes[0] + 1u);
  return std::max(1.0, launches[launch % launches.size()] * (1.0 + spread));
}

Result<judge::TrialsAnswer> TapeBench::verify(ArmName arm, uint64_t, uint64_t count) {
  judge::TrialsAnswer answer;
  answer.failure = missing(arm);
  if (answer.failure) return answer;
  answer.counts.trials = count;
  answer.counts.cases = task_.cases.size();
  answer.counts.elements_compared = count;
  answer.counts.launches_checked_against_oracle = count;
  return answer;
}

judge::CaseSamples TapeBench::samples_of(const std::string& case_id, uint64_t round) {
  judge::CaseSamples samples;
  samples.case_id = case_id;
  for (uint64_t quad = 0; quad < k_tape_quads; ++quad) {
    const bool candidate_first = pattern(round + 1, quad + 1, 7) > 0;
    std::vector<double> times;
    for (uint64_t i = 0; i < 4; ++i) {
      const bool outer = i == 0 || i == 3;
      const ArmName arm = outer == candidate_first ? ArmName::candidate : ArmName::incumbent;
      times.push_back(time_of(arms_.at(arm), case_id, round, 4 * quad + i));
      seconds_ += 1e-9 * times.back();
    }
    samples.orders.emplace_back(candidate_first ? "BAAB" : "ABBA");
    samples.times_ns.push_back(std::move(times));
  }
  return samples;
}

Result<judge::RoundAnswer> TapeBench::round(const judge::RoundRequest& request) {
  judge::RoundAnswer answer;
  for (const ArmName arm : {ArmName::incumbent, ArmName::candidate}) {
    answer.failure = missing(arm);
    if (answer.failure) return answer;
  }
  judge::RoundRecord record;
  record.stage = request.stage;
  record.index = request.index;
  const uint64_t offset = request.stage == "stage1" ? 0 : 1000;
  for (const task::Case* one : task_.cases_for(task::Purpose::time))
    record.cases.push_back(samples_of(one->id, offset + request.index));
  answer.pair_checks = 4 * k_tape_quads * record.cases.size();
  answer.oracle_checks = 4;
  answer.record = std::move(record);
  return answer;
}

Result<judge::MeasureAnswer> TapeBench::measure(ArmName arm, Nanoseconds) {
  judge::MeasureAnswer answer;
  answer.failure = missing(arm);
  if (answer.failure) return answer;
  for (const task::Case* one : task_.cases_for(task::Purpose::time)) {
    for (uint64_t i = 0; i < 40; ++i) answer.times[one->id].push_back(time_of(arms_.at(arm), one->id, i / 10, i));
  }
  return answer;
}

Result<judge::ScreenAnswer> TapeBench::screen(const task::Candidate& candidate, Nanoseconds) {
  campaign::ScreenResult result{candidate.digest.hex(), "ok", std::nullopt, ""};
  arms_[ArmName::candidate] = candidate;
  if (auto failure = missing(ArmName::incumbent)) return judge::ScreenAnswer{std::move(result), std::move(failure)};
  if (const auto failure = missing(ArmName::candidate)) {
    result.outcome = std::string(name_of(failure->outcome));
    result.message = failure->message;
    return judge::ScreenAnswer{std::move(result), std::nullopt};
  }
  std::vector<double> logs;
  bool first = true;
  for (const task::Case* one : task_.cases_for(task::Purpose::time)) {
    judge::RoundRecord record;
    record.cases.push_back(samples_of(one->id, 500));
    const stats::Round round = judge::to_round(record, {one->id});
    std::vector<double> ratios;
    for (const stats::Quad& quad : round.cases[0].quads) ratios.push_back(stats::ln_ratio(quad));
    logs.push_back(stats::median(ratios));
    if (first && stats::screen(stats::Rule{}, round.cases[0].quads) == stats::Screen::reject) result.outcome = "slower";
    first = false;
  }
  result.ratio = std::exp(stats::mean(logs));
  return judge::ScreenAnswer{std::move(result), std::nullopt};
}

class TapeExecutor final : public Executor {
 public:
  explicit TapeExecutor(Tape tape) : tape_(std::move(tape)) {}
  Result<campaign::Verdict> run(const judge::JudgingJob& job, const judge::Observer& observer) override {
    HONE_TRY(const task::Task task, judge::contract_of(job));
    TapeBench bench(task, tape_);
    return judge::answer(task, job, bench, observer);
  }
  Result<device::Identity> identity() override { return tape_.identity; }

 private:
  Tape tape_;
};

Status check_outcome(const TapeLine& line) {
  if (!line.verify || value_of<Outcome>(*line.verify)) return ok();
  return Error{ErrorCode::contract, fmt::format("'{}' is no outcome of the judge", *line.verify)};
}

// What a machine could have measured: verdicts are made of these figures as if it had.
Status check_figures(const TapeLine& line) {
  if (line.noise && !(*line.noise >= 0 && *line.noise < 1))
    return Error{ErrorCode::contract, "noise is a fraction, at least 0 and below 1"};
  for (const auto& launches : line.times_ns.value_or(std::vector<std::vector<double>>())) {
    const bool plausible =
        std::all_of(launches.begin(), launches.end(), [](double ns) { return ns > 0 && ns <= k_longest_time_ns; });
    if (!plausible) return Error{ErrorCode::contract, "times are nanoseconds, above 0 and at most a day's"};
  }
  return ok();
}

Status take_header(Tape& tape, const TapeLine& line) {
  tape.identity.kind = "tape";
  tape.identity.name = *line.device;
  tape.identity.uuid = sha256(*line.device).hex();
  tape.identity.cores = line.cores.value_or(std::vector<int>{0});
  tape.identity.toolchain = "tape";
  return ok();
}

}  // namespace

Result<Tape> read_tape(const std::filesystem::path& path) {
  HONE_TRY(const std::string text, read_file(path));
  Tape tape;
  uint32_t number = 0;
  for (const std::string& line_text : split_lines(text)) {
    ++number;
    if (trim(line_text).empty()) continue;
    auto line = json::from_text<TapeLine>(line_text);
    if (!line) return line_error(path, number, line.error().what);
    for (const auto check : {check_outcome, check_figures}) {
      if (const Status sound = check(*line); !sound) return line_error(path, number, sound.error().what);
    }
    if (line->device) {
      HONE_CHECK(take_header(tape, *line));
    } else if (!line->candidate && !line->values && !line->options) {
      return line_error(path, number, "a tape line names a candidate, values or options");
    } else {
      tape.lines.push_back(*std::move(line));
    }
  }
  if (tape.identity.name.empty()) return line_error(path, 1, "the first line of a tape names its device");
  return tape;
}

std::unique_ptr<Executor> make_tape_executor(Tape tape) { return std::make_unique<TapeExecutor>(std::move(tape)); }

}  // namespace hone::execute
