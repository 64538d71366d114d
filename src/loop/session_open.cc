// How a session opens: the frozen contract, the pins, and what a dead session left behind.
#include <fmt/format.h>
#include <unistd.h>

#include "loop/contract.h"
#include "loop/exclude.h"
#include "loop/opening.h"
#include "loop/session.h"
#include "loop/visit.h"
#include "record/owner.h"
#include "task/read.h"

namespace hone::loop {

Session::Session(const RunRequest& request, const RunServices& services)
    : request_(request), services_(services), begin_(services.clock->now()) {}

Status Session::open_campaign() {
  HONE_TRY(const task::Task task, task::require_task(request_.task_folder));
  HONE_CHECK(task::supported_here(task));
  HONE_TRY(auto contract, freeze(*store_, task));
  HONE_TRY(auto pins, pins_now(task, *services_.executor, hidden_cases(request_.hidden_file)));
  pins.device = services_.device;
  exclude_from_git(*services_.processes, *services_.disk, request_.campaign_folder);
  return store_->append(
      campaign::CampaignOpened{1, task.name, std::move(contract), std::move(pins), services_.device_reason});
}

// Rounds of two devices never meet: what was being compared is abandoned, and stays charged.
Status Session::rebaseline(const campaign::Pins& now) {
  if (const auto& open = state().open_comparison)
    HONE_CHECK(
        store_->append(campaign::ComparisonAbandoned{open->charged.job, "what its rounds are bound to has changed"}));
  campaign::Pins pins = now;
  pins.device = services_.device;
  return store_->append(campaign::Rebaselined{std::move(pins)});
}

Status Session::check_pins(const campaign::Pins& now) {
  Status same = require_same_pins(*state().pins, now);
  return !same && request_.pinning == Pinning::rebaseline ? rebaseline(now) : same;
}

namespace {

bool gives_a_limit(const RunRequest& request) {
  return request.iterations || request.time_limit || request.device_seconds_limit;
}

std::optional<uint64_t> count_of(const IterationLimit& limit, uint64_t done) {
  if (limit.kind == IterationLimit::Kind::unlimited) return std::nullopt;
  return limit.kind == IterationLimit::Kind::more ? done + limit.count : limit.count;
}

}  // namespace

void Session::settle_limits(campaign::SessionStarted& started) const {
  const campaign::SessionStarted* before = interrupted_session(state());
  if (before != nullptr && !gives_a_limit(request_)) {
    started.iteration_limit = before->iteration_limit;
    started.time_limit_s = before->time_limit_s;
    started.device_limit_s = before->device_limit_s;
    return;
  }
  const uint64_t done = before != nullptr ? iterations(state()) : 0;
  started.iteration_limit =
      count_of(request_.iterations.value_or(IterationLimit{IterationLimit::Kind::in_all, k_default_iterations}), done);
  if (request_.time_limit) started.time_limit_s = to_seconds(*request_.time_limit);
  started.device_limit_s = request_.device_seconds_limit;
}

Status Session::begin_session() {
  const record::Owner self = record::this_process();
  campaign::SessionStarted started;
  started.command = request_.command;
  started.proposer = services_.proposer->identity();
  started.pid = self.pid;
  started.process_start = std::to_string(self.start_ticks);
  started.selftest = services_.selftest;
  settle_limits(started);
  limits_ = started;
  if (interrupted_session(state()) != nullptr) target_before_ = state().target;
  return store_->append(std::move(started));
}

Status Session::open() {
  HONE_TRY(store_, Store::open(*services_.disk, *services_.clock, request_.campaign_folder, request_.command));
  const bool fresh = !state().opened;
  if (fresh) HONE_CHECK(open_campaign());
  HONE_TRY(task_, thaw(*store_));
  if (!fresh) {
    HONE_CHECK(check_contract(state(), request_.task_folder));
    HONE_TRY(const campaign::Pins now, pins_now(*task_, *services_.executor, hidden_cases(request_.hidden_file)));
    HONE_CHECK(check_pins(now));
  }
  // Before the new session's event, which would hide the pid of the one that died.
  HONE_TRY(history_, apart([&] { return History::open(*store_, *services_.processes, *services_.clock); }));
  HONE_CHECK(apart([&] { return history_->follow(); }));
  JudgingServices judging;
  judging.store = &*store_;
  judging.executor = services_.executor;
  judging.display = services_.display;
  judging.clock = services_.clock;
  judging.task = &*task_;
  judging.hidden_file = request_.hidden_file;
  judging.ceilings = services_.ceilings;
  judging.cancelled = services_.cancelled;
  judging.time_left = [this] { return time_left(); };
  judging_.emplace(std::move(judging));
  HONE_CHECK(begin_session());
  HONE_CHECK(give_up_visit(*store_, "a run goes on"));
  return settle_what_died(*store_);
}

}  // namespace hone::loop
