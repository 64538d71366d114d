#include "loop/opening.h"

#include <fmt/format.h>

#include "base/text.h"
#include "judge/questions.h"
#include "task/read.h"
#include "views/views.h"

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

Result<campaign::Pins> pins_now(const task::Task& task, execute::Executor& executor) {
  HONE_TRY(const device::Identity identity, executor.identity());
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

Status require_same_pins(const campaign::Pins& before, const campaign::Pins& now) {
  const auto changed = changed_pins(before, now);
  if (changed.empty()) return ok();
  return Error{ErrorCode::environment,
               "what this campaign's numbers are bound to has changed: " + join(changed, "; "),
               {},
               "times before and after cannot be compared",
               "hone run --rebaseline measures v0 and the incumbent anew; -C NEW starts another campaign"};
}

Status check_contract(const campaign::State& state, const fs::path& task_folder) {
  const fs::path file = task_folder / "task.toml";
  if (!path_exists(file)) return ok();
  const auto present = task::read_task(task_folder);
  if (present.task && present.task->digest.hex() == state.pins->task_digest) return ok();
  return Error{ErrorCode::environment,
               "the task was edited since this campaign began",
               {file.string(), 0, 0},
               "its numbers belong to the contract as it was, and --rebaseline does not change that",
               "undo the edit, or start a new campaign with -C NEW"};
}

Status settle_what_died(Store& store) {
  const auto& open = store.state().open_comparison;
  const std::map<std::string, double> reserved = store.state().reserved;
  for (const auto& [job, seconds] : reserved) {
    if (open && open->charged.job == job) continue;
    HONE_CHECK(store.append(campaign::BudgetSettled{job, seconds}));
  }
  return ok();
}

Status write_views(Store& store, const task::Task& task) {
  const views::ReadBlob read = [&store](const Digest& digest) { return store.get(digest.hex()); };
  HONE_TRY(const views::Files files, views::make_views(store.state(), task, read));
  return views::write_views(store.disk(), store.folder(), files);
}

}  // namespace hone::loop
