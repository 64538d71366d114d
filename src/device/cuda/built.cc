#include "device/cuda/built.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "device/cuda/cubin.h"
#include "task/ptx_signature.h"

namespace hone::device::cuda {

namespace {

constexpr size_t k_longest_name_bytes = 4096;

std::string one_line(const Error& error) {
  std::string line = error.what;
  if (!error.why.empty()) line += ": " + error.why;
  if (!error.help.empty()) line += "; " + error.help;
  return line;
}

BuildFault refused(const Error& error) { return {CompileFault::compile_error, one_line(error)}; }

// ---- the kernels ----

std::vector<std::string> names_of(const Cubin& cubin) {
  std::vector<std::string> names;
  for (const KernelResources& kernel : cubin.kernels)
    names.push_back(quote_untrusted(kernel.kernel, k_longest_name_bytes));
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

std::optional<BuildFault> missing_kernel(const Cubin& cubin, std::span<const LaunchedKernel> launches) {
  const std::vector<std::string> names = names_of(cubin);
  for (const LaunchedKernel& launch : launches) {
    if (std::find(names.begin(), names.end(), launch.entry) != names.end()) continue;
    return BuildFault{CompileFault::no_entry, fmt::format("the sources define no kernel '{}': {}", launch.entry,
                                                          how_to_define(launch.entry, names))};
  }
  return std::nullopt;
}

// ---- what it lacks and keeps ----

bool is_only_read(const task::PtxModule& ptx, const std::string& name) {
  const auto is_it = [&name](const task::PtxVariable& one) { return one.name == name; };
  return std::any_of(ptx.globals.begin(), ptx.globals.end(), is_it) &&
         std::all_of(ptx.globals.begin(), ptx.globals.end(),
                     [&](const task::PtxVariable& one) { return !is_it(one) || one.only_read; });
}

// The module as the cubin has it; what of it nobody writes is the PTX's word.
task::PtxModule module_of(const Cubin& cubin, const task::PtxModule& ptx) {
  task::PtxModule module;
  for (const std::string& name : cubin.undefined)
    module.unresolved.push_back(quote_untrusted(name, k_longest_name_bytes));
  for (const CubinVariable& variable : cubin.globals) {
    const std::string name =
        variable.name.empty() ? "without a name" : quote_untrusted(variable.name, k_longest_name_bytes);
    module.globals.push_back({name, variable.size_bytes, is_only_read(ptx, name)});
  }
  return module;
}

// ---- parameters ----

Status check_parameters(const task::PtxModule& ptx, std::span<const LaunchedKernel> launches) {
  for (const LaunchedKernel& launch : launches) {
    const task::PtxEntry* entry = ptx.find(launch.entry);
    if (entry == nullptr)
      return Error{ErrorCode::refused, fmt::format("the PTX does not have the cubin's kernel '{}'", launch.entry)};
    HONE_CHECK(task::check_parameters(launch.parameters, *entry));
  }
  return ok();
}

}  // namespace

std::optional<BuildFault> fault_in(const Built& built, std::span<const LaunchedKernel> launches) {
  const auto cubin = read_cubin(bytes_of(built.cubin));
  if (!cubin) return refused(cubin.error());
  if (auto missing = missing_kernel(*cubin, launches)) return missing;
  const auto ptx = task::read_ptx(built.ptx);
  if (!ptx) return refused(ptx.error());
  if (const Status status = check_self_contained(module_of(*cubin, *ptx)); !status) return refused(status.error());
  if (const Status status = check_parameters(*ptx, launches); !status) return refused(status.error());
  return std::nullopt;
}

std::vector<KernelResources> resources_in(const Built& built) {
  auto cubin = read_cubin(bytes_of(built.cubin));
  if (!cubin) return {};
  for (KernelResources& kernel : cubin->kernels) kernel.kernel = quote_untrusted(kernel.kernel, k_longest_name_bytes);
  return std::move(cubin->kernels);
}

}  // namespace hone::device::cuda
