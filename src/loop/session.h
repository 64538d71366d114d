// Session: the engine behind run(). One object per run; phases are its private functions, each: what it needs, what it
// leaves as events.
#pragma once

#include <memory>

#include "diagnose/diagnosis.h"
#include "loop/history.h"
#include "loop/judging.h"
#include "loop/run.h"

namespace hone::loop {

class Session {
 public:
  Session(const RunRequest& request, const RunServices& services);

  Result<RunReport> run();

 private:
  // opening (session_open.cc)
  Status open();
  Status open_campaign();
  Status check_pins(const campaign::Pins& now);
  Status rebaseline(const campaign::Pins& now);
  Status begin_session();
  void settle_limits(campaign::SessionStarted& started) const;

  // phases (session.cc)
  Status baseline();
  Status set_baseline(const task::Candidate& candidate);
  Result<task::Candidate> repair(const task::Candidate& broken, const campaign::Verdict& verdict);
  Status remeasure();
  Status diagnose();
  Status iterate();
  Result<bool> experiment();  // false: no direction is left
  Status finish_experiment(uint64_t number, const task::Candidate& from);
  Status final_confirmation();
  Status stop(const Stop& stop);

  // inside an experiment (experiment.cc)
  Status resume_experiment(const campaign::Experiment& open);
  Status start(const propose::Plan& plan, const task::Candidate& from);
  Status give_up(const std::string& reason);
  Result<bool> lost_its_incumbent();
  Result<std::optional<task::Candidate>> act(const propose::Plan& plan, const task::Candidate& from);
  Status judge_candidate(const task::Candidate& candidate, const task::Candidate& from);
  Result<std::optional<Answer>> own_answer() const;
  std::optional<campaign::Decided> decided_unasked(const task::Candidate& candidate) const;
  Result<std::optional<propose::ScreenAnswer>> screen_alone(const task::Candidate& candidate,
                                                            const task::Candidate& incumbent);
  Result<bool> survives_screen(const task::Candidate& candidate, const task::Candidate& from,
                               const task::Candidate& incumbent);
  Status conclude(const task::Candidate& candidate, const task::Candidate& from, const Answer& answer);
  Status close_direction(const task::Candidate& candidate, const task::Candidate& from,
                         const campaign::Verdict& verdict, campaign::ExperimentStatus status);
  Status decide(campaign::Decided decided);
  Status close_group(const std::string& context, const std::string& group, const std::string& reason);
  propose::Brief brief_from(const task::Candidate& from) const;
  uint64_t turn() const;
  propose::Screener screener(const task::Candidate& incumbent);

  // the incumbent (versions.cc)
  Result<campaign::Promoted> promotion_of(const task::Candidate& candidate, const Answer& answer);
  Status promote(const task::Candidate& candidate, const Answer& answer);
  Result<uint64_t> newest_sound_version(const campaign::Verdict& verdict);
  Status demote(const campaign::Verdict& verdict);

  // where to start from (beam.cc)
  std::vector<std::string> starting_points() const;
  Result<std::optional<propose::Plan>> next_plan(task::Candidate& from);
  Status park(const task::Candidate& candidate, const task::Candidate& from, double ratio);
  Status unpark(const std::string& digest, const std::string& reason);
  Status unpark_what_stands_on(const campaign::Version& wrong);
  Status expire_parked();

  // diagnosis (diagnose_phase.cc)
  Result<std::vector<campaign::CaseTimes>> times_of_incumbent() const;
  Result<std::vector<diagnose::CaseEvidence>> evidence() const;
  std::optional<campaign::TargetChosen> kept_target() const;
  std::optional<campaign::TargetChosen> asked_target();
  Status choose_target();

  // questions of state
  const campaign::State& state() const { return store_->state(); }
  Result<task::Candidate> candidate(const std::string& digest) const;
  Result<task::Candidate> incumbent() const { return candidate(state().incumbent()->candidate); }
  std::optional<double> best_seconds() const;
  std::optional<Nanoseconds> time_left() const;
  StopInputs stop_inputs() const;
  Status write_views();
  template <class Work>
  auto apart(Work work) {  // its time is git's, not the loop's own
    const Nanoseconds begin = services_.clock->now();
    auto result = work();
    apart_seconds_ += to_seconds(services_.clock->now() - begin);
    return result;
  }

  const RunRequest& request_;
  const RunServices& services_;
  Nanoseconds begin_;
  std::optional<Store> store_;
  std::optional<task::Task> task_;
  std::optional<Judging> judging_;
  std::optional<History> history_;
  std::optional<double> target_seconds_;
  campaign::SessionStarted limits_;                      // as they hold, given or gone on from
  std::optional<campaign::TargetChosen> target_before_;  // of the interrupted session that this one goes on from
  double apart_seconds_ = 0;
};

}  // namespace hone::loop
