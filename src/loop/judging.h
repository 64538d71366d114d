// Judging: how the loop asks. Every question goes through here: an answer that is known is not measured again, a budget
// is reserved by an event before the act and settled after, comparisons are charged before their first round and go on
// under the same k after a resume, rounds are durable before the next begins, and every verdict is an event. Failures:
// interrupted, or what the executor reports. A run asks, or a visitor between runs (visit.h): what a visitor learns is
// kept apart, may answer another visitor, and never a run.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "campaign/verdict.h"
#include "execute/executor.h"
#include "loop/display.h"
#include "loop/store.h"
#include "propose/proposer.h"
#include "task/candidate.h"

namespace hone::loop {

enum class Reuse { stored, anew };

// Somebody who asks between runs.
struct Visitor {
  std::string command;  // for the log
  Reuse reuse = Reuse::stored;
};

struct JudgingServices {
  Store* store = nullptr;
  execute::Executor* executor = nullptr;
  Display* display = nullptr;
  Clock* clock = nullptr;
  const task::Task* task = nullptr;
  std::optional<std::string> hidden_file;
  std::optional<device::Ceilings> ceilings;
  std::optional<Visitor> visitor;  // absent in a run
  std::function<bool()> cancelled = [] { return false; };
  std::function<std::optional<Nanoseconds>()> time_left = [] { return std::optional<Nanoseconds>(); };
};

enum class AnswerSource { judge, store };

// An answer, the blob that holds it, and whether it was known.
struct Answer {
  campaign::Verdict verdict;
  std::string blob;
  AnswerSource source = AnswerSource::judge;
};

class Judging {
 public:
  explicit Judging(JudgingServices services) : services_(std::move(services)) {}

  Result<Answer> verify(const task::Candidate& candidate);
  // Anew, whatever the store answers.
  Result<Answer> verify_again(const task::Candidate& candidate);
  // Verification, and that the contract's checks reject what is wrong.
  Result<Answer> admit(const task::Candidate& baseline);
  Result<Answer> measure(const task::Candidate& candidate);
  Result<Answer> compare(const task::Candidate& candidate, const task::Candidate& incumbent);
  Result<Answer> estimate(const task::Candidate& candidate, const task::Candidate& incumbent);
  // Rough ratios; kept nowhere but in the search's own event. An incumbent that fails leaves no ratios and its verdict.
  Result<propose::ScreenAnswer> screen(const std::vector<task::Candidate>& candidates, const task::Candidate& incumbent,
                                       Nanoseconds time_limit);
  // The verdict of a screen in which the incumbent failed, once.
  std::optional<campaign::Verdict> take_incumbent_failure() { return std::exchange(incumbent_failure_, std::nullopt); }
  // Makes the candidate known to the log.
  Status introduce(const task::Candidate& candidate, std::optional<std::string> parent, const std::string& origin);
  void set_baseline(const task::Candidate& baseline) { baseline_ = judge::to_text(baseline); }

  // Seconds spent inside executors, which is not the loop's own time.
  double executor_seconds() const { return executor_seconds_; }
  // The longest comparison so far, to know whether another one fits; absent before the first.
  std::optional<Nanoseconds> longest_comparison() const { return longest_comparison_; }

 private:
  judge::JudgingJob job_for(campaign::Question question, const task::Candidate& candidate) const;
  std::string key_of(const judge::JudgingJob& job) const;
  Result<Answer> ask(judge::JudgingJob job);
  Result<Answer> ask_anew(const judge::JudgingJob& job);
  const campaign::Judged* stored(const std::string& key) const;
  Result<std::optional<Answer>> known(const std::string& key) const;
  bool is_open(const task::Candidate& candidate, const task::Candidate& incumbent) const;
  Result<campaign::Verdict> execute(const judge::JudgingJob& job);
  judge::Observer observer_for(const judge::JudgingJob& job);
  Status record_round(const judge::JudgingJob& job, const judge::RoundRecord& round);
  Status reserve(const judge::JudgingJob& job);
  Result<Answer> record_answer(const judge::JudgingJob& job, const campaign::Verdict& verdict);
  Result<judge::JudgingJob> charged_comparison(const task::Candidate& candidate, const task::Candidate& incumbent);

  JudgingServices services_;
  std::optional<judge::CandidateText> baseline_;
  std::optional<campaign::Verdict> incumbent_failure_;
  double executor_seconds_ = 0;
  std::optional<Nanoseconds> longest_comparison_;
};

}  // namespace hone::loop
