// --hidden FILE: the cases that a contract commits to and nobody who is judged may see. Checked before anything is
// built: it is the committed file, it stands outside of every folder that a candidate's author works in, and this
// machine can keep it from a candidate. What it binds is printed by `hone check --hidden` alone, for its author.
// Failures: usage, contract (exit 2); environment (exit 3) where confinement is too weak.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "surface/cli/command.h"
#include "task/task.h"

namespace hone::cli {

inline constexpr OptionRow k_hidden_option{"--hidden", "FILE", "",
                                           "hidden cases, which the contract commits to by [hidden] sha256"};

// The file's full path; nothing without the option. `workspaces` are folders whose readers may not know the cases.
Result<std::optional<std::string>> hidden_file(const Context& context, const task::Task& task,
                                               const std::vector<fs::path>& workspaces);

// The same file before there is a commitment: read for its author, and the lines for task.toml.
Result<std::string> commitment_text(const task::Task& task, const std::string& file);

}  // namespace hone::cli
