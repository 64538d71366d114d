#include "loop/opening.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
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

// What may not change under a campaign's numbers, besides the device.
constexpr PinRow k_pins[] = {
    {"judge's constants", &campaign::Pins::rule_digest},
    {"judge version", &campaign::Pins::judge_version},
    {"hone version", &campaign::Pins::hone_version},
};

std::string cores_text(const std::vector<int>& cores) {
  std::vector<std::string> words;
  for (const int core : cores) words.push_back(std::to_string(core));
  return join(words, ",");
}

// What a person can see of a device; its key and its identity are digests over this and more.
std::string device_text(const campaign::Pins& pins) {
  return fmt::format("{}, cores {}, {}", pins.device_name, cores_text(pins.cores), pins.toolchain);
}

bool same_device(const campaign::Pins& before, const campaign::Pins& now) {
  return before.device_key == now.device_key && before.device_uuid == now.device_uuid &&
         before.toolchain == now.toolchain;
}

std::vector<std::string> changed_pins(const campaign::Pins& before, const campaign::Pins& now) {
  std::vector<std::string> changed;
  if (!same_device(before, now)) {
    const std::string was = device_text(before);
    const std::string is = device_text(now);
    changed.push_back(was == is ? fmt::format("the device (it looks like {} as before, and is another)", is)
                                : fmt::format("the device or its compiler (was {}; is {})", was, is));
  }
  if (before.headers != now.headers)
    changed.push_back(fmt::format("the headers outside the task (was {}; is {})", before.headers.value_or("none"),
                                  now.headers.value_or("none")));
  for (const PinRow& row : k_pins) {
    if (before.*row.value != now.*row.value)
      changed.push_back(fmt::format("{} (was {}, is {})", row.name, before.*row.value, now.*row.value));
  }
  return changed;
}

}  // namespace

Result<campaign::Pins> pins_now(const task::Task& task, execute::Executor& executor, HiddenCases hidden) {
  HONE_TRY(const device::Identity identity, executor.identity());
  campaign::Pins pins;
  pins.task_digest = task.digest.hex();
  pins.device_key = identity.key().hex();
  pins.device_name = identity.name;
  pins.device_uuid = identity.uuid;
  pins.cores = identity.cores;
  pins.toolchain = identity.toolchain;
  pins.flags = join(task.kernel.flags, " ");
  if (std::string headers = device::words_of(executor.header_roots()); !headers.empty())
    pins.headers = std::move(headers);
  pins.rule_digest = judge::rule_digest();
  pins.judge_version = std::string(judge::k_judge_version);
  pins.hone_version = HONE_VERSION;
  if (hidden == HiddenCases::used && task.hidden_commitment) pins.hidden_cases = task.hidden_commitment->hex();
  return pins;
}

namespace {

// Either the file is missing now, or it is new.
Error other_hidden_cases(const campaign::Pins& before) {
  constexpr std::string_view k_why = "times and verdicts with and without hidden cases cannot be compared";
  if (before.hidden_cases)
    return {ErrorCode::environment,
            "this campaign uses hidden cases, and their file was not given",
            {},
            std::string(k_why),
            "--hidden FILE; hone run --rebaseline goes on without them"};
  return {ErrorCode::environment,
          "this campaign has been judged by the public cases alone",
          {},
          std::string(k_why),
          "leave --hidden out; or hone run --rebaseline with it, or -C NEW"};
}

}  // namespace

Status require_same_pins(const campaign::Pins& before, const campaign::Pins& now) {
  if (before.hidden_cases != now.hidden_cases) return other_hidden_cases(before);
  const auto changed = changed_pins(before, now);
  if (changed.empty()) return ok();
  return Error{ErrorCode::environment,
               "what this campaign's numbers are bound to has changed: " + join(changed, "; "),
               {},
               "times before and after cannot be compared",
               "hone run --rebaseline measures v0 and the incumbent anew; -C NEW starts another campaign"};
}

namespace {

// The first file of the contract that is not as it was; candidates may change what is editable.
std::string edited_file(const campaign::State& state, const task::Task& present) {
  for (const campaign::FileReference& file : state.opened->contract) {
    const auto& editable = present.kernel.editable;
    if (std::find(editable.begin(), editable.end(), file.path) != editable.end()) continue;
    const auto bytes = read_file(present.folder / file.path);
    if (!bytes || sha256(*bytes).hex() != file.blob) return file.path;
  }
  return "task.toml";
}

Error contract_changed(const std::string& what, const fs::path& file) {
  return {ErrorCode::environment,
          what,
          {file.string(), 0, 0},
          "a campaign's numbers belong to the contract as it was, and --rebaseline does not change that",
          "undo that, or start a new campaign with -C NEW"};
}

}  // namespace

Status check_contract(const campaign::State& state, const fs::path& task_folder) {
  if (!path_exists(task_folder / "task.toml")) return ok();
  const auto present = task::read_task(task_folder);
  if (!present.task) {
    Error error = contract_changed("the task can no longer be read as it was when this campaign began",
                                   task_folder / "task.toml");
    if (!present.diagnostics.errors.empty()) error.causes.push_back(present.diagnostics.errors.front());
    return error;
  }
  if (present.task->digest.hex() == state.pins->task_digest) return ok();
  const std::string file = edited_file(state, *present.task);
  return contract_changed(fmt::format("{} was edited since this campaign began", file), task_folder / file);
}

const campaign::SessionStarted* interrupted_session(const campaign::State& state) {
  const bool ended = state.stopped && campaign::ended_by_a_rule(state.stopped->status);
  return state.session && !ended ? &*state.session : nullptr;
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
