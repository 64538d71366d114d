// What a HIP build left, held against what will be asked of it: before a device sees it, in the judge's own process.
// Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "device/build_fault.h"

namespace hone::device::hip {

// The first of: no such kernel, a call of the host, a variable that can be written, parameters
// that do not fit.
std::optional<BuildFault> fault_in(std::string_view code_object, std::span<const LaunchedKernel> launches);
// Of every kernel in it; empty where it cannot be read.
std::vector<KernelResources> resources_in(std::string_view code_object);

}  // namespace hone::device::hip
