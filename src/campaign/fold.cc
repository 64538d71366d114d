#include <fmt/format.h>

#include <algorithm>

#include "campaign/state.h"

namespace hone::campaign {

const Version* State::incumbent() const {
  if (versions.empty()) return nullptr;
  return &versions[incumbent_version];
}

const CandidateAdded* State::find_candidate(const std::string& digest) const {
  const auto found = candidates.find(digest);
  return found == candidates.end() ? nullptr : &found->second;
}

Experiment* State::open_experiment() {
  if (experiments.empty() || experiments.back().decided) return nullptr;
  return &experiments.back();
}

const Experiment* State::open_experiment() const { return const_cast<State*>(this)->open_experiment(); }

uint64_t State::decided_experiments() const {
  return static_cast<uint64_t>(std::count_if(experiments.begin(), experiments.end(),
                                             [](const Experiment& one) { return one.decided.has_value(); }));
}

bool State::was_demoted(const std::string& candidate) const {
  return std::any_of(versions.begin(), versions.end(),
                     [&](const Version& one) { return one.demoted && one.candidate == candidate; });
}

bool State::is_dead_end(const std::string& context, const std::string& group) const {
  return dead_ends.contains({context, group});
}

bool ended_by_a_rule(StopStatus status) { return status != StopStatus::interrupted && status != StopStatus::failed; }

namespace {

Error refuse(const std::string& rule) { return {ErrorCode::refused, rule}; }

Status require(bool holds, const std::string& rule) { return holds ? ok() : Status(refuse(rule)); }

// One overload per event: what it needs, then what it changes.
struct Folder {
  State& state;
  const Event& event;

  Status known(const std::string& candidate) const {
    return require(state.candidates.contains(candidate), fmt::format("candidate {} was never added", candidate));
  }
  Status current_experiment(uint64_t number) const {
    const Experiment* open = state.open_experiment();
    return require(open != nullptr && open->started.experiment == number,
                   fmt::format("experiment {} is not the open one", number));
  }

  Status operator()(const CampaignOpened& e) {
    HONE_CHECK(require(!state.opened, "a campaign is opened once"));
    HONE_CHECK(require(e.format == 1, fmt::format("campaign format {} is not known to this hone", e.format)));
    state.opened = e;
    state.pins = e.pins;
    return ok();
  }
  bool promoted_in(const Experiment& experiment) const {
    return !state.versions.empty() && state.versions.back().experiment == experiment.started.experiment;
  }
  Status operator()(const Rebaselined& e) {
    HONE_CHECK(require(!state.open_comparison, "an open comparison is abandoned before its device changes"));
    Experiment* open = state.open_experiment();
    if (open != nullptr && !promoted_in(*open)) open->compared.reset();
    state.pins = e.pins;
    state.answers.clear();  // older numbers are not comparable
    state.visits.answers.clear();
    state.dead_ends.clear();
    state.diagnosis.reset();
    state.final_confirmation.reset();
    state.rebaselined = event.time;
    return ok();
  }
  Status operator()(const SessionStarted& e) {
    if (state.stopped && ended_by_a_rule(state.stopped->status)) state.run_first_experiment = state.experiments.size();
    state.session = e;
    ++state.sessions;
    state.stopped.reset();
    state.terminal.reset();
    return ok();
  }
  Status operator()(const TargetChosen& e) {
    HONE_CHECK(require(state.session.has_value(), "a target belongs to a session"));
    state.session->target_s = e.target_s;
    state.session->target_origin = e.origin;
    state.target = e;
    return ok();
  }
  Status operator()(const TailTorn&) { return ok(); }
  Status operator()(const CandidateAdded& e) {
    HONE_CHECK(
        require(!state.candidates.contains(e.candidate), fmt::format("candidate {} was added before", e.candidate)));
    state.candidates.emplace(e.candidate, e);
    return ok();
  }
  Status operator()(const Asked& e) {
    HONE_CHECK(require(!state.versions.empty(), "nothing is asked between runs before the baseline"));
    return require(state.visits.jobs.insert(e.job).second, fmt::format("job {} was asked before", e.job));
  }
  void keep_apart(const Judged& e) {
    state.visits.answers[e.key] = e;
    state.visits.judgements.push_back(e);
  }
  void keep(const Judged& e) {
    state.answers[e.key] = e;
    state.visits.answers.erase(e.key);
    state.judgements.push_back(e);
    Experiment* open = state.open_experiment();
    if (open != nullptr && e.question == Question::compare && open->candidate == e.candidate) open->compared = e;
  }
  Status operator()(const Judged& e) {
    HONE_CHECK(known(e.candidate));
    state.is_visit(e.job) ? keep_apart(e) : keep(e);
    if (state.open_comparison && state.open_comparison->charged.job == e.job) state.open_comparison.reset();
    return ok();
  }
  Status operator()(const BaselineSet& e) {
    HONE_CHECK(known(e.candidate));
    HONE_CHECK(require(state.versions.empty(), "v0 is set once"));
    state.versions.push_back(
        {0, e.candidate, e.tree, e.commit, {}, e.anchor, e.date_s, e.verdict, 0, event.time, false, {}});
    return ok();
  }
  Status operator()(const Diagnosed& e) {
    state.diagnosis = e;
    return ok();
  }
  Status operator()(const ExperimentStarted& e) {
    HONE_CHECK(require(!state.versions.empty(), "no experiment may start before the baseline"));
    HONE_CHECK(require(state.open_experiment() == nullptr, "the experiment before is still open"));
    HONE_CHECK(require(e.experiment == state.experiments.size() + 1,
                       fmt::format("experiment {} does not follow {}", e.experiment, state.experiments.size())));
    HONE_CHECK(known(e.parent));
    Experiment experiment;
    experiment.started = e;
    experiment.time = event.time;
    experiment.diagnosis = state.diagnosis;
    if (state.session) experiment.proposer = state.session->proposer;
    state.experiments.push_back(std::move(experiment));
    return ok();
  }
  Status operator()(const Searched& e) {
    HONE_CHECK(current_experiment(e.experiment));
    state.experiments.back().searched = e;
    return ok();
  }
  Status operator()(const CandidateOffered& e) {
    HONE_CHECK(current_experiment(e.experiment));
    HONE_CHECK(known(e.candidate));
    state.experiments.back().candidate = e.candidate;
    return ok();
  }
  Status operator()(const ComparisonCharged& e) {
    HONE_CHECK(require(!state.open_comparison, "the comparison before has no verdict yet"));
    HONE_CHECK(
        require(e.k == state.comparisons + 1, fmt::format("comparison {} does not follow {}", e.k, state.comparisons)));
    HONE_CHECK(known(e.candidate));
    HONE_CHECK(known(e.incumbent));
    state.comparisons = e.k;
    state.ledger.push_back(e);
    state.open_comparison = OpenComparison{e, {}};
    return ok();
  }
  Status operator()(const ComparisonAbandoned& e) {
    HONE_CHECK(require(state.open_comparison && state.open_comparison->charged.job == e.job,
                       fmt::format("comparison {} is not open", e.job)));
    state.open_comparison.reset();
    return ok();
  }
  Status operator()(const RoundMeasured& e) {
    HONE_CHECK(require(state.open_comparison && state.open_comparison->charged.job == e.job,
                       "a round needs its comparison to be charged"));
    state.open_comparison->rounds.push_back(e);
    return ok();
  }
  Status operator()(const Decided& e) {
    HONE_CHECK(current_experiment(e.experiment));
    state.experiments.back().decided = e;
    return ok();
  }
  Status operator()(const Promoted& e) {
    HONE_CHECK(known(e.candidate));
    HONE_CHECK(require(!state.versions.empty() && e.version == state.versions.size(),
                       fmt::format("v{} does not follow {} versions", e.version, state.versions.size())));
    HONE_CHECK(
        require(e.parent == state.incumbent()->commit, "the parent of a promotion must be the incumbent's commit"));
    state.versions.push_back({e.version,
                              e.candidate,
                              e.tree,
                              e.commit,
                              e.parent,
                              e.anchor,
                              e.date_s,
                              e.verdict,
                              e.experiment,
                              event.time,
                              false,
                              {}});
    state.incumbent_version = e.version;
    return ok();
  }
  Status operator()(const Demoted& e) {
    HONE_CHECK(
        require(e.version < state.versions.size() && e.to < e.version, "a demotion goes back to an older version"));
    state.versions[e.version].demoted = true;
    state.versions[e.version].demotion = e.reason;
    const std::string& wrong = state.versions[e.version].candidate;
    const auto is_about_it = [&](const auto& answer) {
      return answer.second.candidate == wrong || answer.second.incumbent == wrong;
    };
    std::erase_if(state.answers, is_about_it);
    std::erase_if(state.visits.answers, is_about_it);
    state.incumbent_version = e.to;
    return ok();
  }
  Status operator()(const Parked& e) {
    HONE_CHECK(known(e.candidate));
    HONE_CHECK(require(e.experiment >= 1 && e.experiment <= state.experiments.size(),
                       fmt::format("experiment {} is not known", e.experiment)));
    state.parked[e.candidate] = e;
    state.experiments[e.experiment - 1].parked = e;
    return ok();
  }
  Status operator()(const Unparked& e) {
    const auto found = state.parked.find(e.candidate);
    HONE_CHECK(require(found != state.parked.end(), fmt::format("candidate {} is not parked", e.candidate)));
    state.experiments[found->second.experiment - 1].unparked = e.reason;
    state.parked.erase(found);
    return ok();
  }
  Status operator()(const DeadEnd& e) {
    state.dead_ends.insert({e.context, e.group});
    return ok();
  }
  Status operator()(const BudgetReserved& e) {
    HONE_CHECK(require(state.reserved.emplace(e.job, e.device_seconds).second, "a job's budget is reserved once"));
    return ok();
  }
  Status operator()(const BudgetSettled& e) {
    HONE_CHECK(require(state.reserved.erase(e.job) == 1, fmt::format("job {} has no reservation", e.job)));
    state.spent_device_seconds += e.device_seconds;
    return ok();
  }
  Status operator()(const FinalConfirmed& e) {
    state.final_confirmation = e;
    return ok();
  }
  Status operator()(const Stopped& e) {
    state.stopped = e;
    state.wall_seconds += e.wall_seconds;
    state.own_seconds += e.own_seconds;
    if (!state.terminal) state.terminal = e.status;
    return ok();
  }
};

}  // namespace

Status apply(State& state, const Event& event) {
  Status applied = event.sequence == state.sequence + 1
                       ? Status(ok())
                       : Status(refuse(fmt::format("event {} does not follow {}", event.sequence, state.sequence)));
  const bool opens = std::holds_alternative<CampaignOpened>(event.body) || std::holds_alternative<TailTorn>(event.body);
  if (applied && !state.opened && !opens) applied = refuse("the first event must open the campaign");
  if (applied) applied = std::visit(Folder{state, event}, event.body);
  if (!applied)
    return Error{ErrorCode::refused,
                 fmt::format("event {} ({}) cannot be: {}", event.sequence, type_of(event.body), applied.error().what)};
  state.sequence = event.sequence;
  state.head = event.hash;
  return ok();
}

}  // namespace hone::campaign
