#include "loop/judging.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/questions.h"
#include "loop/contract.h"
#include "stats/rule.h"

namespace hone::loop {

namespace {

// Reserved before a job, so that a crash cannot hide what was spent; settled with what it took.
constexpr double reservation_s(campaign::Question question) {
  switch (question) {
    case campaign::Question::compare:
      return 60;
    case campaign::Question::estimate:
      return 30;
    default:
      return 10;
  }
}

}  // namespace

judge::JudgingJob Judging::job_for(campaign::Question question, const task::Candidate& candidate) const {
  const campaign::State& state = services_.store->state();
  judge::JudgingJob job;
  job.id = fmt::format("{}-{}", name_of(question), state.sequence + 1);
  job.question = question;
  job.task_folder = services_.task->folder.string();
  job.hidden_file = services_.hidden_file;
  job.candidate = judge::to_text(candidate);
  job.baseline = baseline_;
  job.cores = state.pins ? state.pins->cores : std::vector<int>{};
  job.ceilings = services_.ceilings;
  return job;
}

std::string Judging::key_of(const judge::JudgingJob& job) const {
  const campaign::Pins& pins = *services_.store->state().pins;
  Sha256 hash;
  for (const std::string_view part :
       {name_of(job.question), std::string_view(pins.task_digest), std::string_view(pins.device_key),
        std::string_view(pins.toolchain), std::string_view(pins.rule_digest)})
    hash.add_field(part);
  if (pins.hidden_cases) hash.add_field(*pins.hidden_cases);
  hash.add_field(judge::to_candidate(job.candidate).digest.hex());
  hash.add_field(job.incumbent ? judge::to_candidate(*job.incumbent).digest.hex() : "");
  return hash.finish().hex();
}

namespace {

const campaign::Judged* find(const std::map<std::string, campaign::Judged>& answers, const std::string& key) {
  const auto found = answers.find(key);
  return found == answers.end() ? nullptr : &found->second;
}

}  // namespace

// A run hears runs alone: a visitor may ask as often as he likes.
const campaign::Judged* Judging::stored(const std::string& key) const {
  const campaign::State& state = services_.store->state();
  if (!services_.visitor) return find(state.answers, key);
  if (services_.visitor->reuse == Reuse::anew) return nullptr;
  const campaign::Judged* asked = find(state.visits.answers, key);
  return asked != nullptr ? asked : find(state.answers, key);
}

Result<std::optional<Answer>> Judging::known(const std::string& key) const {
  const campaign::Judged* found = stored(key);
  if (found == nullptr) return std::optional<Answer>();
  HONE_TRY(campaign::Verdict verdict, services_.store->get_json<campaign::Verdict>(found->verdict));
  return std::optional(Answer{std::move(verdict), found->verdict, AnswerSource::store});
}

Status Judging::introduce(const task::Candidate& candidate, std::optional<std::string> parent,
                          const std::string& origin) {
  if (services_.store->state().candidates.contains(candidate.digest.hex())) return ok();
  HONE_TRY(auto added, record_candidate(*services_.store, candidate, std::move(parent), origin));
  return services_.store->append(std::move(added));
}

Status Judging::record_round(const judge::JudgingJob& job, const judge::RoundRecord& round) {
  if (job.question != campaign::Question::compare) return ok();
  HONE_TRY(const std::string blob, services_.store->put_json(round));
  return services_.store->append(campaign::RoundMeasured{job.id, round.stage, round.index, round.gain, blob});
}

judge::Observer Judging::observer_for(const judge::JudgingJob& job) {
  judge::Observer observer;
  observer.round = [this, &job](const judge::RoundRecord& round) { return record_round(job, round); };
  observer.progress = [this](const judge::Progress& progress) {
    services_.display->progress(progress, services_.time_left());
  };
  observer.cancelled = services_.cancelled;
  return observer;
}

Result<campaign::Verdict> Judging::execute(const judge::JudgingJob& job) {
  const Nanoseconds begin = services_.clock->now();
  auto verdict = services_.executor->run(job, observer_for(job));
  executor_seconds_ += to_seconds(services_.clock->now() - begin);
  return verdict;
}

Status Judging::reserve(const judge::JudgingJob& job) {
  // After a resume the reservation of an interrupted comparison still stands.
  if (services_.store->state().reserved.contains(job.id)) return ok();
  if (services_.visitor) HONE_CHECK(services_.store->append(campaign::Asked{job.id, services_.visitor->command}));
  return services_.store->append(campaign::BudgetReserved{job.id, reservation_s(job.question)});
}

Result<Answer> Judging::record_answer(const judge::JudgingJob& job, const campaign::Verdict& verdict) {
  HONE_TRY(const std::string blob, services_.store->put_json(verdict));
  campaign::Judged judged{job.id,
                          key_of(job),
                          job.question,
                          verdict.candidate,
                          verdict.incumbent,
                          verdict.outcome,
                          verdict.reason,
                          blob,
                          {},
                          {},
                          {},
                          {},
                          verdict.device_seconds};
  judged.candidate_s = campaign::summary_seconds(verdict.candidate_times);
  judged.incumbent_s = campaign::summary_seconds(verdict.incumbent_times);
  if (verdict.comparison) {
    judged.speedup = verdict.comparison->speedup;
    judged.speedup_interval = verdict.comparison->speedup_interval;
  }
  HONE_CHECK(services_.store->append(std::move(judged)));
  HONE_CHECK(services_.store->append(campaign::BudgetSettled{job.id, verdict.device_seconds}));
  return Answer{verdict, blob};
}

Result<Answer> Judging::ask(judge::JudgingJob job) {
  HONE_TRY(auto answer, known(key_of(job)));
  if (answer) return *std::move(answer);
  return ask_anew(job);
}

Result<Answer> Judging::ask_anew(const judge::JudgingJob& job) {
  HONE_CHECK(reserve(job));
  HONE_TRY(const campaign::Verdict verdict, execute(job));
  return record_answer(job, verdict);
}

Result<Answer> Judging::verify_again(const task::Candidate& candidate) {
  return ask_anew(job_for(campaign::Question::verify, candidate));
}

Result<Answer> Judging::admit(const task::Candidate& baseline) {
  return ask(job_for(campaign::Question::admit, baseline));
}

Result<Answer> Judging::verify(const task::Candidate& candidate) {
  return ask(job_for(campaign::Question::verify, candidate));
}

Result<Answer> Judging::measure(const task::Candidate& candidate) {
  return ask(job_for(campaign::Question::measure, candidate));
}

Result<Answer> Judging::estimate(const task::Candidate& candidate, const task::Candidate& incumbent) {
  judge::JudgingJob job = job_for(campaign::Question::estimate, candidate);
  job.incumbent = judge::to_text(incumbent);
  return ask(std::move(job));
}

// Charged by an event before its first round; an interrupted one goes on from the logged rounds under the same k.
Result<judge::JudgingJob> Judging::charged_comparison(const task::Candidate& candidate,
                                                      const task::Candidate& incumbent) {
  judge::JudgingJob job = job_for(campaign::Question::compare, candidate);
  job.incumbent = judge::to_text(incumbent);
  const auto& open = services_.store->state().open_comparison;
  if (open) {
    job.id = open->charged.job;
    job.k = open->charged.k;
    for (const campaign::RoundMeasured& round : open->rounds) {
      HONE_TRY(judge::RoundRecord record, services_.store->get_json<judge::RoundRecord>(round.samples));
      job.earlier_rounds.push_back(std::move(record));
    }
    return job;
  }
  job.k = services_.store->state().comparisons + 1;
  HONE_CHECK(reserve(job));
  HONE_CHECK(services_.store->append(campaign::ComparisonCharged{job.id, job.k,
                                                                 stats::alpha_of_comparison(stats::Rule{}, job.k),
                                                                 candidate.digest.hex(), incumbent.digest.hex()}));
  return job;
}

bool Judging::is_open(const task::Candidate& candidate, const task::Candidate& incumbent) const {
  const auto& open = services_.store->state().open_comparison;
  return open && open->charged.candidate == candidate.digest.hex() && open->charged.incumbent == incumbent.digest.hex();
}

Result<Answer> Judging::compare(const task::Candidate& candidate, const task::Candidate& incumbent) {
  judge::JudgingJob question = job_for(campaign::Question::compare, candidate);
  question.incumbent = judge::to_text(incumbent);
  HONE_TRY(auto answer, known(key_of(question)));
  // One that is open was asked anew and interrupted.
  if (answer && !is_open(candidate, incumbent)) return *std::move(answer);
  HONE_TRY(const judge::JudgingJob job, charged_comparison(candidate, incumbent));
  const Nanoseconds begin = services_.clock->now();
  HONE_CHECK(reserve(job));
  HONE_TRY(const campaign::Verdict verdict, execute(job));
  longest_comparison_ = std::max(longest_comparison_.value_or(Nanoseconds(0)), services_.clock->now() - begin);
  return record_answer(job, verdict);
}

Result<propose::ScreenAnswer> Judging::screen(const std::vector<task::Candidate>& candidates,
                                              const task::Candidate& incumbent, Nanoseconds time_limit) {
  judge::JudgingJob job = job_for(campaign::Question::screen, candidates.empty() ? incumbent : candidates.front());
  job.incumbent = judge::to_text(incumbent);
  job.time_limit_s = to_seconds(time_limit);
  for (const task::Candidate& candidate : candidates) job.screened.push_back(judge::to_text(candidate));
  if (job.screened.empty()) return propose::ScreenAnswer{};
  HONE_CHECK(reserve(job));
  HONE_TRY(const campaign::Verdict verdict, execute(job));
  HONE_CHECK(services_.store->append(campaign::BudgetSettled{job.id, verdict.device_seconds}));
  if (verdict.outcome == campaign::Outcome::incumbent_wrong) {
    incumbent_failure_ = verdict;
    return propose::ScreenAnswer{{}, verdict.device_seconds};
  }
  return propose::ScreenAnswer{verdict.screened, verdict.device_seconds};
}

}  // namespace hone::loop
