// The commands of hone: the table that help, manual and dispatch read. Adding a command is one file and one row in
// commands.cc.
#pragma once

#include <vector>

#include "surface/cli/command.h"

namespace hone::cli {

std::vector<Command> all_commands();

// The whole command-line program: parses, runs, prints errors, returns the exit status.
int run_cli(int argc, char** argv);

}  // namespace hone::cli
