#include "device/build_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace hone::device {

namespace {

constexpr size_t k_longest_name_bytes = 4096;

std::vector<std::string> names_of(std::span<const KernelResources> kernels) {
  std::vector<std::string> names;
  for (const KernelResources& kernel : kernels) names.push_back(quoted_name(kernel.kernel));
  return names;
}

// What follows a function's name in the name that C++ makes of it; nothing where it is the name of something else.
std::optional<std::string_view> behind_mangled(std::string_view name, const std::string& function) {
  const std::string inner = fmt::format("{}{}", function.size(), function);
  const size_t at = name.starts_with("_Z") ? name.find(inner) : std::string_view::npos;
  if (at == std::string_view::npos) return std::nullopt;
  return name.substr(at + inner.size());
}

std::string how_to_define(const std::string& entry, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto rest = behind_mangled(name, entry);
    if (!rest) continue;
    if (rest->starts_with("I"))
      return "it is there as a template: make that __device__ and call it from an extern \"C\" __global__ function";
    return "it is there as a C++ function: declare it extern \"C\" __global__";
  }
  return fmt::format("declare it extern \"C\" __global__{}", did_you_mean(entry, names));
}

}  // namespace

std::string quoted_name(std::string_view name) { return quote_untrusted(name, k_longest_name_bytes); }

BuildFault refused_build(const Error& error) {
  std::string line = error.what;
  if (!error.why.empty()) line += ": " + error.why;
  if (!error.help.empty()) line += "; " + error.help;
  return {CompileFault::compile_error, std::move(line)};
}

std::optional<BuildFault> missing_kernel(std::span<const KernelResources> kernels,
                                         std::span<const LaunchedKernel> launches) {
  const std::vector<std::string> names = names_of(kernels);
  for (const LaunchedKernel& launch : launches) {
    if (std::find(names.begin(), names.end(), launch.entry) != names.end()) continue;
    return BuildFault{CompileFault::no_entry, fmt::format("the sources define no kernel '{}': {}", launch.entry,
                                                          how_to_define(launch.entry, names))};
  }
  return std::nullopt;
}

std::vector<KernelResources> with_quoted_names(std::vector<KernelResources> kernels) {
  for (KernelResources& kernel : kernels) kernel.kernel = quoted_name(kernel.kernel);
  return kernels;
}

}  // namespace hone::device
