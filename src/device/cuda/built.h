// What a CUDA build left, held against what will be asked of it: before a device sees it, in the judge's own process.
// The cubin is what is loaded, so it decides what is there, what is missing and what could keep something from launch
// to launch. Its PTX says what a cubin does not: parameters, and which variables nobody writes. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/build_fault.h"

namespace hone::device::cuda {

struct Built {
  std::string_view cubin;
  std::string_view ptx;
};

// The first of: no such kernel, something undefined, a variable that can be written, parameters that do not fit.
std::optional<BuildFault> fault_in(const Built& built, std::span<const LaunchedKernel> launches);
// Of every kernel in it; empty where the cubin cannot be read.
std::vector<KernelResources> resources_in(const Built& built);

}  // namespace hone::device::cuda
