// Roles: what this executable is when hone starts it as a confined helper. main() asks first, before it looks at
// anything else.
#pragma once

#include <optional>

namespace hone::device::cpu {

// The exit status when argv names a role ("runner", "oracle"), nothing otherwise.
std::optional<int> run_role(int argc, char** argv);

}  // namespace hone::device::cpu
