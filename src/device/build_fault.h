// What is wrong with a binary that a compiler made without a complaint, in hone's own words, and what backends check
// alike: that every kernel which will be asked for is there. Names in a binary are untrusted and are quoted. Pure; any
// thread.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "device/device.h"

namespace hone::device {

struct BuildFault {
  CompileFault fault = CompileFault::compile_error;
  std::string explanation;  // what is wrong, why that matters, what to do
};

// An error on one line.
BuildFault refused_build(const Error& error);
// The first launch whose kernel is not among `kernels`, with what to write instead.
std::optional<BuildFault> missing_kernel(std::span<const KernelResources> kernels,
                                         std::span<const LaunchedKernel> launches);
// The same kernels with names that may be shown.
std::vector<KernelResources> with_quoted_names(std::vector<KernelResources> kernels);
// A name out of a binary.
std::string quoted_name(std::string_view name);

}  // namespace hone::device
