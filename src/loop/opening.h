// Opening: what whoever writes into a campaign does first, a run (session.h) or a question between runs (visit.h): its
// numbers are bound to a contract, a device and a toolchain, and a hone that died leaves budgets behind.
// Failure: environment (exit 3) for what has changed, with what to do; io.
#pragma once

#include "execute/executor.h"
#include "loop/store.h"
#include "task/task.h"

namespace hone::loop {

// Numbers over hidden cases are not numbers over the public ones alone.
enum class HiddenCases { unused, used };
inline HiddenCases hidden_cases(const std::optional<std::string>& file) {
  return file ? HiddenCases::used : HiddenCases::unused;
}

// What numbers that are measured now would be bound to.
Result<campaign::Pins> pins_now(const task::Task& task, execute::Executor& executor, HiddenCases hidden);
// Every changed pin in one error.
Status require_same_pins(const campaign::Pins& before, const campaign::Pins& now);
// A campaign is one contract from its first event to its last. A folder without a task.toml is a campaign on another
// machine.
Status check_contract(const campaign::State& state, const fs::path& task_folder);

// The session before, when it did not end by a stop rule: the next one goes on from it.
const campaign::SessionStarted* interrupted_session(const campaign::State& state);
// What a dead hone had reserved is spent; the comparison that is open keeps its own, since it goes on.
Status settle_what_died(Store& store);

// Writes the views as the log says they are.
Status write_views(Store& store, const task::Task& task);

}  // namespace hone::loop
