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
    {"device", &campaign::Pins::device_key},
    {"compiler", &campaign::Pins::toolchain},
    {"judge's constants", &campaign::Pins::rule_digest},
    {"judge version", &campaign::Pins::judge_version},
    {"hone version", &campaign::Pins::hone_version},
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
  return store_->append(campaign::CampaignOpened{1, task.name, std::move(contract), std::move(pins), services_.device_reason});
}

Status Session::check_pins(const campaign::Pins& now) {
  const campaign::Pins& before = *state().pins;
  if (const auto edited = task::read_task(request_.task_folder); edited.task && edited.task->digest.hex() != before.task_digest)
    return Error{ErrorCode::environment, "the task was edited since this campaign began", {(request_.task_folder / "task.toml").string(), 0, 0},
                 "its numbers belong to the contract as it was",
                 "undo the edit, or start a new campaign with -C NEW"};
  const auto changed = changed_pins(before, now);
  if (changed.empty()) return ok();
  if (request_.pinning == Pinning::rebaseline) return store_->append(campaign::Rebaselined{now});
  return Error{ErrorCode::environment, "what this campaign's numbers are bound to has changed: " + join(changed, "; "), {},
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

Status Session::begin_session() {
  const record::Owner self = record::this_process();
  campaign::SessionStarted started;
  started.command = request_.command;
  started.proposer = std::string(services_.proposer->name());
  started.pid = self.pid;
  started.process_start = std::to_string(self.start_ticks);
  started.iteration_limit = request_.iteration_limit;
  if (request_.time_limit) started.time_limit_s = to_seconds(*request_.time_limit);
  started.device_limit_s = request_.device_seconds_limit;
  first_experiment_ = state().experiments.size();
  return store_->append(std::move(started));
}

Status Session::open() {
  HONE_TRY(store_, Store::open(*services_.disk, *services_.clock, request_.campaign_folder, request_.command));
  const bool fresh = !state().opened;
  if (fresh) HONE_CHECK(open_campaign());
  HONE_TRY(task_, thaw(*store_));
  if (!fresh) {
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
  judging.hidden_file = request_.hidden_file;
  judging.ceilings = services_.ceilings;
  judging.cancelled = services_.cancelled;
  judging.time_left = [this] { return time_left(); };
  judging_.emplace(std::move(judging));
  HONE_CHECK(begin_session());
  return settle_what_died();
}

}  // namespace hone::loop
