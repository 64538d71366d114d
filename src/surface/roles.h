// What this executable is when hone starts itself: a confined runner or oracle, or a judge. main asks before it looks
// at anything else.
#pragma once

#include <optional>

namespace hone::surface {

// The exit status when argv names a role, nothing for a person's command line.
std::optional<int> run_role(int argc, char** argv);

}  // namespace hone::surface
