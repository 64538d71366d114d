// Roles: what this executable is when hone starts it as a helper: a confined runner, oracle, launcher or watch, or a
// child that asks vendors' drivers what they have or holds a device's clocks. main() asks first, before it looks at
// anything else.
#pragma once

#include <optional>

namespace hone::device {

// The exit status when argv names a role ("runner", "watch", "describe-accelerators", …), nothing otherwise.
std::optional<int> run_role(int argc, char** argv);

}  // namespace hone::device
