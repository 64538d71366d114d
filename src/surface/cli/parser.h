// Command lines: words in, a command with its Arguments out. The only file that knows the option library.
// Long options only, never abbreviated; an unknown command or option is a usage error with a suggestion.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "surface/cli/command.h"

namespace hone::cli {

// Options that every command takes; shown in every help.
std::span<const OptionRow> common_options();

struct Parsed {
  const Command* command = nullptr;  // absent: only `help` is to be shown
  Arguments arguments;
  std::string help;  // non-empty: print this and end with 0
};

Result<Parsed> parse(std::span<const Command> commands, const std::vector<std::string>& words);

std::string overview(std::span<const Command> commands);
std::string help_text(const Command& command);
// docs/commands.md, whole.
std::string manual(std::span<const Command> commands);

}  // namespace hone::cli
