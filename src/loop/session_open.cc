// How a session opens: the frozen contract, the pins, and what a dead session left behind.
#include <fmt/format.h>
#include <unistd.h>

#include "base/text.h"
#include "judge/questions.h"
#include "loop/contract.h"
#include "loop/exclude.h"
#include "loop/session.h"
#include "record/owner.h"
#include "task/read.h"

namespace hone::loop {

namespace {

struct PinRow {
  std::string_view name;
  std::string campaign::Pins::*value;
};

// What may not change under a campaign's numbers.
constexpr PinRow k_pins[] = {
    {"device", &campaign::Pins::device_key},           {"device's identity", &campaign::Pins::device_uuid},
    {"compiler", &campaign::Pins::toolchain},          {"judge's constants", &campaign::Pins::rule_digest},
    {"judge version", &campaign::Pins::judge_version}, {"hone version", &campaign::Pins::hone_version},
};

std::vector<std::string> changed_pins(const campaign::Pins& before, const campaign::Pins& now) {
  std::vector<std::string> changed;
  for (const PinRow& row : k_pins) {
    if (before.*row.value != now.*row.value)
      changed.push_back(fmt::format("{} (was {}, is {})", row.name, before.*row.value, now.*row.value));
  }
  return changed;
}

}  // namespace

Session::Session(const RunRequest& request, const RunServices& services)
    : request_(request), services_(services), begin_(services.clock->now()) {}

Result<campaign::Pins> Session::pins_now(const task::Task& task) {
  HONE_TRY(const device::Identity identity, services_.executor->identity());
  campaign::Pins pins;
  pins.task_digest = task.digest.hex();
  pins.device_key = identity.key().hex();
  pins.device_name = identity.name;
  pins.device_uuid = identity.uuid;
  pins.cores = identity.cores;
  pins.toolchain = identity.toolchain;
  pins.flags = join(task.kernel.flags, " ");
  pins.rule_digest = judge::rule_digest();
  pins.judge_version = std::string(judge::k_judge_version);
  pins.hone_version = HONE_VERSION;
  return pins;
}

Status Session::open_campaign() {
  HONE_TRY(const task::Task task, task::require_task(request_.task_folder));
  HONE_CHECK(task::supported_here(task));
  HONE_TRY(auto contract, freeze(*store_, task));
  HONE_TRY(auto pins, pins_now(task));
  exclude_from_git(*services_.processes, *services_.disk, request_.campaign_folder);
  return store_->append(
      campaign::CampaignOpened{1, task.name, std::move(contract), std::move(pins), services_.device_reason});
}

// A campaign is one contract from its first event to its last. A folder without a task.toml is a campaign on another
// machine.
Status Session::check_contract() {
  const fs::path file = request_.task_folder / "task.toml";
  if (!path_exists(file)) return ok();
  const auto present = task::read_task(request_.task_folder);
  if (present.task && present.task->digest.hex() == state().pins->task_digest) return ok();
  return Error{ErrorCode::environment,
               "the task was edited since this campaign began",
               {file.string(), 0, 0},
               "its numbers belong to the contract as it was, and --rebaseline does not change that",
               "undo the edit, or start a new campaign with -C NEW"};
}

// Rounds of two devices never meet: what was being compared is abandoned, and stays charged.
Status Session::rebaseline(const campaign::Pins& now) {
  if (const auto& open = state().open_comparison)
    HONE_CHECK(
        store_->append(campaign::ComparisonAbandoned{open->charged.job, "what its rounds are bound to has changed"}));
  return store_->append(campaign::Rebaselined{now});
}

Status Session::check_pins(const campaign::Pins& now) {
  const auto changed = changed_pins(*state().pins, now);
  if (changed.empty()) return ok();
  if (request_.pinning == Pinning::rebaseline) return rebaseline(now);
  return Error{ErrorCode::environment,
               "what this campaign's numbers are bound to has changed: " + join(changed, "; "),
               {},
               "times before and after cannot be compared",
               "hone run --rebaseline measures v0 and the incumbent anew; -C NEW starts another campaign"};
}

Status Session::settle_what_died() {
  const auto& open = state().open_comparison;
  std::map<std::string, double> reserved = state().reserved;
  for (const auto& [job, seconds] : reserved) {
    if (open && open->charged.job == job) continue;  // goes on
    HONE_CHECK(store_->append(campaign::BudgetSettled{job, seconds}));
  }
  return ok();
}

namespace {

// The session before, when it did not end by a stop rule: this one goes on from it.
const campaign::SessionStarted* interrupted_session(const campaign::State& state) {
  const bool ended = state.stopped && campaign::ended_by_a_rule(state.stopped->status);
  return state.session && !ended ? &*state.session : nullptr;
}

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
  settle_limits(started);
  limits_ = started;
  return store_->append(std::move(started));
}

Status Session::open() {
  HONE_TRY(store_, Store::open(*services_.disk, *services_.clock, request_.campaign_folder, request_.command));
  const bool fresh = !state().opened;
  if (fresh) HONE_CHECK(open_campaign());
  HONE_TRY(task_, thaw(*store_));
  if (!fresh) {
    HONE_CHECK(check_contract());
    HONE_TRY(const campaign::Pins now, pins_now(*task_));
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
  judging.ceilings = services_.ceilings;
  judging.cancelled = services_.cancelled;
  judging.time_left = [this] { return time_left(); };
  judging_.emplace(std::move(judging));
  HONE_CHECK(begin_session());
  return settle_what_died();
}

}  // namespace hone::loop
