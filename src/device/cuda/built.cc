#include "device/cuda/built.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/cuda/cubin.h"
#include "task/ptx_signature.h"

namespace hone::device::cuda {

namespace {

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
  for (const std::string& name : cubin.undefined) module.unresolved.push_back(quoted_name(name));
  for (const CubinVariable& variable : cubin.globals) {
    const std::string name = variable.name.empty() ? "without a name" : quoted_name(variable.name);
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
  if (!cubin) return refused_build(cubin.error());
  if (auto missing = missing_kernel(cubin->kernels, launches)) return missing;
  const auto ptx = task::read_ptx(built.ptx);
  if (!ptx) return refused_build(ptx.error());
  if (const Status status = check_self_contained(module_of(*cubin, *ptx)); !status)
    return refused_build(status.error());
  if (const Status status = check_parameters(*ptx, launches); !status) return refused_build(status.error());
  return std::nullopt;
}

std::vector<KernelResources> resources_in(const Built& built) {
  auto cubin = read_cubin(bytes_of(built.cubin));
  return cubin ? with_quoted_names(std::move(cubin->kernels)) : std::vector<KernelResources>();
}

}  // namespace hone::device::cuda
