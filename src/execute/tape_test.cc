// The tape as an executor: which line answers, and that looks and decisions are those of every executor.
#include "execute/tape.h"

#include <gmock/gmock.h>

#include "task/task_folder_for_tests.h"

namespace hone::execute {
namespace {

using campaign::Outcome;
using campaign::Question;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Taped : public ::testing::Test {
 protected:
  Taped() : folder_(task::scale_files()), task_(*task::require_task(folder_.path())) {}
  task::Candidate candidate(std::map<std::string, std::string> values = {},
                            std::vector<std::string> options = {}) const {
    return task::with_variant(*task::read_candidate(task_, folder_.path()), {std::move(values), std::move(options)});
  }
  void tape(const std::string& lines) {
    folder_.write("tape.jsonl", "{\"device\":\"tape CPU\",\"cores\":[3]}\n" + lines);
    auto read = read_tape(folder_.path() / "tape.jsonl");
    ASSERT_TRUE(read) << to_text(read.error());
    executor_ = make_tape_executor(*std::move(read));
  }
  judge::JudgingJob job_of(Question question, const task::Candidate& one) const {
    judge::JudgingJob job;
    job.id = "j1";
    job.question = question;
    job.task_folder = folder_.path().string();
    job.candidate = judge::to_text(one);
    return job;
  }
  campaign::Verdict ask(const judge::JudgingJob& job) {
    judge::Observer observer;
    observer.round = [this](const judge::RoundRecord& round) {
      rounds_.push_back(round);
      return ok();
    };
    observer.progress = [](const judge::Progress&) {};
    observer.cancelled = [] { return false; };
    const auto verdict = executor_->run(job, observer);
    EXPECT_TRUE(verdict) << to_text(verdict.error());
    return verdict ? *verdict : campaign::Verdict{};
  }
  campaign::Verdict ask(Question question, const task::Candidate& one) { return ask(job_of(question, one)); }
  campaign::Verdict compare(const task::Candidate& one, const task::Candidate& incumbent) {
    judge::JudgingJob job = job_of(Question::compare, one);
    job.incumbent = judge::to_text(incumbent);
    job.k = 1;
    return ask(job);
  }
  double seconds(const task::Candidate& one) {
    return *campaign::summary_seconds(ask(Question::measure, one).candidate_times);
  }

  task::TaskFolder folder_;
  task::Task task_;
  std::unique_ptr<Executor> executor_;
  std::vector<judge::RoundRecord> rounds_;
};

TEST_F(Taped, ItsDeviceIsTheFirstLines) {
  tape("{\"candidate\":\"*\",\"times_ns\":[[8000]]}\n");
  const auto identity = executor_->identity();
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity->name, "tape CPU");
  EXPECT_THAT(identity->cores, ElementsAre(3));
}

TEST_F(Taped, TheLastMatchingLineWins) {
  tape(
      "{\"candidate\":\"*\",\"times_ns\":[[8000]]}\n{\"values\":{\"ITEMS\":\"8\"},\"times_ns\":[[6000]]}\n"
      "{\"values\":{\"ITEMS\":\"8\"},\"options\":[\"O3\"],\"times_ns\":[[4000]]}\n");
  EXPECT_NEAR(seconds(candidate()), 8e-6, 1e-12);
  EXPECT_NEAR(seconds(candidate({{"ITEMS", "8"}})), 6e-6, 1e-12);
  EXPECT_NEAR(seconds(candidate({{"ITEMS", "8"}}, {"O3"})), 4e-6, 1e-12);
  EXPECT_NEAR(seconds(candidate({}, {"O3"})), 8e-6, 1e-12);
}

TEST_F(Taped, ADefaultMatchesByItsValue) {
  tape("{\"candidate\":\"*\",\"times_ns\":[[8000]]}\n{\"values\":{\"ITEMS\":\"1\"},\"times_ns\":[[7000]]}\n");
  EXPECT_NEAR(seconds(candidate()), 7e-6, 1e-12);
}

TEST_F(Taped, ACandidateIsNamedByAPrefixOfItsDigest) {
  const task::Candidate one = candidate({{"BLOCK", "64"}});
  tape("{\"candidate\":\"*\",\"times_ns\":[[8000]]}\n{\"candidate\":\"" + one.digest.hex().substr(0, 10) +
       "\",\"times_ns\":[[5000]]}\n");
  EXPECT_NEAR(seconds(one), 5e-6, 1e-12);
  EXPECT_NEAR(seconds(candidate()), 8e-6, 1e-12);
}

TEST_F(Taped, WhatIsNotOnTheTapeCannotBeLaunched) {
  tape("{\"values\":{\"ITEMS\":\"8\"},\"times_ns\":[[6000]]}\n");
  const auto verdict = ask(Question::verify, candidate());
  EXPECT_EQ(verdict.outcome, Outcome::launch_error);
  EXPECT_EQ(verdict.reason, "not on tape");
}

TEST_F(Taped, SoIsACandidateWithoutTimesForATimedCase) {
  tape("{\"candidate\":\"*\",\"case\":\"small\",\"times_ns\":[[6000]]}\n");
  const auto verdict = ask(Question::verify, candidate());
  EXPECT_EQ(verdict.outcome, Outcome::launch_error);
  EXPECT_THAT(verdict.message, HasSubstr("large"));
}

TEST_F(Taped, AFailureCarriesNoTime) {
  tape("{\"candidate\":\"*\",\"verify\":\"VIOLATION\",\"times_ns\":[[6000]]}\n");
  const auto verdict = ask(Question::measure, candidate());
  EXPECT_EQ(verdict.outcome, Outcome::violation);
  EXPECT_TRUE(verdict.candidate_times.empty());
}

TEST_F(Taped, WhatDoesNotCompileFailsBeforeItIsVerified) {
  tape("{\"candidate\":\"*\",\"verify\":\"COMPILE_ERROR\",\"times_ns\":[[6000]]}\n");
  EXPECT_EQ(ask(Question::verify, candidate()).outcome, Outcome::compile_error);
}

TEST_F(Taped, AProvenGainPassesBothStages) {
  tape(
      "{\"candidate\":\"*\",\"times_ns\":[[8000]],\"noise\":0.01}\n{\"values\":{\"ITEMS\":\"8\"},\"times_ns\":[[7000]],"
      "\"noise\":0.01}\n");
  const auto verdict = compare(candidate({{"ITEMS", "8"}}), candidate());
  EXPECT_EQ(verdict.outcome, Outcome::faster);
  EXPECT_NEAR(*verdict.comparison->speedup, 8.0 / 7.0, 0.01);
  EXPECT_EQ(rounds_.size(), verdict.comparison->stage1_rounds + verdict.comparison->confirmation_rounds);
  EXPECT_EQ(verdict.comparison->confirmation_rounds, 24u);
}

TEST_F(Taped, EqualKernelsAreNotFaster) {
  tape("{\"candidate\":\"*\",\"times_ns\":[[8000]],\"noise\":0.01}\n");
  EXPECT_NE(compare(candidate({{"ITEMS", "8"}}), candidate()).outcome, Outcome::faster);
}

TEST_F(Taped, EarlierRoundsAreNotMeasuredAgain) {
  tape(
      "{\"candidate\":\"*\",\"times_ns\":[[8000]],\"noise\":0.01}\n{\"values\":{\"ITEMS\":\"8\"},\"times_ns\":[[7000]],"
      "\"noise\":0.01}\n");
  const auto whole = compare(candidate({{"ITEMS", "8"}}), candidate());
  judge::JudgingJob job = job_of(Question::compare, candidate({{"ITEMS", "8"}}));
  job.incumbent = judge::to_text(candidate());
  job.k = 1;
  job.earlier_rounds.assign(rounds_.begin(), rounds_.begin() + 7);
  const size_t all = rounds_.size();
  rounds_.clear();
  const auto resumed = ask(job);
  EXPECT_EQ(rounds_.size(), all - 7);
  EXPECT_EQ(resumed.outcome, whole.outcome);
  EXPECT_EQ(resumed.comparison->speedup, whole.comparison->speedup) << "the same rounds, the same answer";
}

TEST_F(Taped, AScreenAgainstAnIncumbentThatIsNotOnTheTapeIsTheIncumbentsFault) {
  tape("{\"values\":{\"ITEMS\":\"8\"},\"times_ns\":[[7000]]}\n");
  judge::JudgingJob job = job_of(Question::screen, candidate({{"ITEMS", "8"}}));
  job.incumbent = judge::to_text(candidate());
  job.screened = {job.candidate};
  const auto verdict = ask(job);
  EXPECT_NE(verdict.outcome, Outcome::screened);
  EXPECT_TRUE(verdict.screened.empty());
}

TEST_F(Taped, ATapeAnswersAlikeEveryTime) {
  tape("{\"candidate\":\"*\",\"times_ns\":[[8000]],\"noise\":0.02}\n");
  const auto first = ask(Question::measure, candidate());
  const auto second = ask(Question::measure, candidate());
  EXPECT_EQ(json::to_text(first), json::to_text(second));
}

class FigureNobodyMeasured : public Taped, public testing::WithParamInterface<std::string> {};

TEST_P(FigureNobodyMeasured, IsAFaultOfItsLine) {
  folder_.write("tape.jsonl", "{\"device\":\"tape CPU\"}\n{\"candidate\":\"*\"," + GetParam() + "}\n");
  const auto read = read_tape(folder_.path() / "tape.jsonl");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().where.line, 2u);
}

INSTANTIATE_TEST_SUITE_P(Tape, FigureNobodyMeasured,
                         testing::Values("\"times_ns\":[[8000],[0]]", "\"times_ns\":[[8000,-1]]",
                                         "\"times_ns\":[[1e308]]", "\"times_ns\":[[8.6401e13]]",
                                         "\"times_ns\":[[1]],\"noise\":1", "\"times_ns\":[[1]],\"noise\":-0.1",
                                         "\"times_ns\":[[1]],\"noise\":1e308"));

}  // namespace
}  // namespace hone::execute
