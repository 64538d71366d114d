#include "loop/visit.h"

#include <fmt/format.h>

#include "base/text.h"
#include "loop/contract.h"
#include "loop/opening.h"

namespace hone::loop {

namespace {

Result<task::Candidate> recorded(const Store& store, const std::string& digest) {
  return restore_candidate(store.state(), digest, [&store](const std::string& blob) { return store.get(blob); });
}

Status check_pins(const VisitRequest& request, const VisitServices& services, const campaign::State& state,
                  const task::Task& task) {
  HONE_CHECK(check_contract(state, request.task_folder));
  HONE_TRY(const campaign::Pins now, pins_now(task, *services.executor, hidden_cases(request.hidden_file)));
  return require_same_pins(*state.pins, now);
}

Error run_goes_first(const campaign::OpenComparison& open) {
  return {ErrorCode::usage,
          fmt::format("this campaign's comparison k = {} was interrupted after {}", open.charged.k,
                      counted(open.rounds.size(), "round")),
          {},
          "it was charged, and only one comparison can be open",
          "finish it with `hone resume`, then ask again"};
}

// One comparison can be open: a run's is waited for, a visit's goes on when it is the same and else is given up.
Status make_room(Store& store, const VisitRequest& request) {
  const auto& open = store.state().open_comparison;
  if (!open || request.question != campaign::Question::compare) return ok();
  if (!store.state().is_visit(open->charged.job)) return run_goes_first(*open);
  const bool same = open->charged.candidate == request.candidate && open->charged.incumbent == request.incumbent;
  return same ? ok() : give_up_visit(store, "another comparison was asked for");
}

Judging judging_for(Store& store, const task::Task& task, const VisitRequest& request, const VisitServices& services) {
  JudgingServices judging;
  judging.store = &store;
  judging.executor = services.executor;
  judging.display = services.display;
  judging.clock = services.clock;
  judging.task = &task;
  judging.hidden_file = request.hidden_file;
  judging.ceilings = services.ceilings;
  judging.cancelled = services.cancelled;
  judging.visitor = request.visitor;
  return Judging(std::move(judging));
}

Result<Answer> ask(Judging& judging, const Store& store, const VisitRequest& request) {
  HONE_TRY(const task::Candidate v0, recorded(store, store.state().versions.front().candidate));
  judging.set_baseline(v0);
  HONE_TRY(const task::Candidate candidate, recorded(store, request.candidate));
  if (request.question == campaign::Question::verify) return judging.verify(candidate);
  if (request.question == campaign::Question::measure) return judging.measure(candidate);
  HONE_TRY(const task::Candidate incumbent, recorded(store, request.incumbent));
  return judging.compare(candidate, incumbent);
}

Status require_baseline(const Store& store) {
  if (!store.state().versions.empty()) return ok();
  return Error{ErrorCode::usage, "this campaign has no baseline yet", {}, "", "hone run"};
}

}  // namespace

Status give_up_visit(Store& store, const std::string& reason) {
  const auto& open = store.state().open_comparison;
  if (!open || !store.state().is_visit(open->charged.job)) return ok();
  HONE_CHECK(store.append(campaign::ComparisonAbandoned{open->charged.job, reason}));
  return settle_what_died(store);
}

Result<Answer> visit(const VisitRequest& request, const VisitServices& services) {
  HONE_TRY(Store store, Store::open(*services.disk, *services.clock, request.campaign_folder, request.visitor.command));
  HONE_CHECK(require_baseline(store));
  HONE_TRY(const task::Task task, thaw(store));
  HONE_CHECK(check_pins(request, services, store.state(), task));
  HONE_CHECK(make_room(store, request));
  HONE_CHECK(settle_what_died(store));
  Judging judging = judging_for(store, task, request, services);
  auto answer = ask(judging, store, request);
  if (!answer && answer.error().code == ErrorCode::interrupted && store.state().open_comparison)
    answer.error().help = "ask the same again: its rounds are kept, and it goes on under its own k";
  const Status written = write_views(store, task);
  if (answer) HONE_CHECK(written);
  return answer;
}

}  // namespace hone::loop
