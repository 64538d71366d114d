// What vendors' drivers need of the machine inside a confined process: device nodes, configuration, and the variables
// that say where libraries lie. Reads the machine; absent things are left out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sandbox/root_plan.h"

namespace hone::device::launcher {

std::vector<sandbox::Mount> driver_mounts();
std::vector<sandbox::Mount> system_mounts();  // of these what is no device
std::map<std::string, std::string> driver_environment();

}  // namespace hone::device::launcher
