// The tables [[launch]] of a contract or of a variant.toml: read, checked against the contract, written canonically.
// Names and kinds are checked here; numbers are worked out for each case by bind_launches (task/launch.h).
// Faults go to the Report with their places. Borrows everything it is given; one thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "task/report.h"
#include "task/section.h"
#include "task/task.h"

namespace hone::task {

// What an expression of a launch may use: axes, tunables, and arguments that are whole numbers. Floating scalars move
// between what the cases show, and a launch that followed them would be another one at every call.
Names launch_names(const Task& task);

// A launch as it was read, and where its table stands.
struct ReadLaunch {
  Launch launch;
  Position at;
};

// The tables `launch` of a file, in order. `names` is what expressions may use; arguments are looked up in the task.
std::vector<ReadLaunch> read_launch_tables(const Task& task, const Names& names, Section& root, Presence presence);
// The key `args`: names of arguments that can be handed over.
void read_handed(const Task& task, std::vector<std::string>& out, Section& section, Presence presence);
// What the launches of one kernel have to be as a whole: prepared before run, every output written, nothing prepared
// from what varies. The same of calls_of a host function.
void check_launches(const Task& task, std::span<const ReadLaunch> launches, Report& report);
// A host function and what it is prepared by, as launches; empty where nothing is.
std::vector<Launch> calls_of(const Task& task);
// The positions in Task::arguments that a launch hands over, in order: those it names, or all that can be handed over.
std::vector<size_t> handed_over(const Task& task, const Launch& launch);

// As [[launch]] tables of variant.toml; read back by parse_launches.
std::string canonical_text(std::span<const Launch> launches);
// Of canonical text, whose faults were told when it was made: a contract error here means that somebody changed it.
Result<std::vector<Launch>> parse_launches(const Task& task, const std::string& text);

}  // namespace hone::task
