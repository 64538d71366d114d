// `hone run` and `hone resume` are one thing: a RunRequest made from options, handed to the loop. This is what they
// share.
#pragma once

#include <optional>
#include <string>

#include "surface/cli/command.h"

namespace hone::cli {

std::span<const OptionRow> run_options();
std::span<const OptionRow> resume_options();

// `task` as typed, or nothing to use the present folder.
Result<int> run_campaign(Context& context, const std::optional<std::string>& task);

}  // namespace hone::cli
