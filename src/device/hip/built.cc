#include "device/hip/built.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/hip/code_object.h"
#include "task/ptx_signature.h"

namespace hone::device::hip {

namespace {

constexpr std::string_view k_hidden = "hidden_";  // what the run time adds to a kernel's arguments

// By these a kernel reaches beyond its arguments.
struct ReachRow {
  std::string_view argument;
  const char* what;
  const char* why;
  const char* help;
};
constexpr ReachRow k_reaches[] = {
    {"hidden_hostcall_buffer", "can call the host", "nobody there answers it", "remove printf, assert and malloc"},
    {"hidden_heap_v1", "allocates memory of its own", "what it keeps there would be found by its next launch",
     "ask for a `scratch` argument in the contract"},
    {"hidden_default_queue", "starts kernels of its own", "the contract starts every kernel",
     "launch from the contract: [[launch]] may stand there several times"},
};

std::vector<KernelResources> kernels_of(CodeObject object) {
  std::vector<KernelResources> kernels;
  for (CodeKernel& kernel : object.kernels) kernels.push_back(std::move(kernel.resources));
  return kernels;
}

// No kernel's: one that is not launched could leave the module something, too.
Status check_reaches(const CodeObject& object) {
  for (const CodeKernel& kernel : object.kernels) {
    for (const CodeArgument& argument : kernel.arguments) {
      const auto* row = std::ranges::find(k_reaches, argument.kind, &ReachRow::argument);
      if (row == std::end(k_reaches)) continue;
      return Error{ErrorCode::refused,
                   fmt::format("the kernel '{}' {}", quoted_name(kernel.resources.kernel), row->what),
                   {},
                   row->why,
                   row->help};
    }
  }
  return ok();
}

// Without const AMD's compiler puts a __constant__ variable among those that can be written.
Status check_keeps(const CodeObject& object) {
  if (object.globals.empty()) return ok();
  const CodeVariable& first = object.globals.front();
  const std::string name = first.name.empty() ? "without a name" : fmt::format("'{}'", quoted_name(first.name));
  return Error{ErrorCode::refused,
               fmt::format("the kernel has the global variable {} of {} bytes", name, first.size_bytes),
               {},
               "what it keeps there would be found by its next launch",
               "make tables `__constant__ const`, and working memory a `scratch` argument"};
}

task::PtxParameter parameter_of(const CodeArgument& argument) {
  const bool is_pointer = argument.kind == "global_buffer";
  const uint64_t bytes = argument.size_bytes;
  // One byte is a number, and so named that it is not taken for a structure's first.
  const std::string type = bytes == 1 ? "u8" : fmt::format("b{}", 8 * bytes);
  return {is_pointer ? "u64" : type, bytes, bytes, is_pointer};
}

task::PtxEntry entry_of(const CodeKernel& kernel) {
  task::PtxEntry entry;
  entry.name = quoted_name(kernel.resources.kernel);
  for (const CodeArgument& argument : kernel.arguments) {
    if (!argument.kind.starts_with(k_hidden)) entry.parameters.push_back(parameter_of(argument));
  }
  return entry;
}

const CodeKernel* find(const CodeObject& object, std::string_view name) {
  const auto found =
      std::ranges::find_if(object.kernels, [&](const CodeKernel& one) { return one.resources.kernel == name; });
  return found == object.kernels.end() ? nullptr : &*found;
}

Status check_parameters(const CodeObject& object, std::span<const LaunchedKernel> launches) {
  for (const LaunchedKernel& launch : launches) {
    const CodeKernel* kernel = find(object, launch.entry);
    if (kernel == nullptr) return Error{ErrorCode::refused, fmt::format("there is no kernel '{}'", launch.entry)};
    HONE_CHECK(task::check_parameters(launch.parameters, entry_of(*kernel)));
  }
  return ok();
}

}  // namespace

std::optional<BuildFault> fault_in(std::string_view code_object, std::span<const LaunchedKernel> launches) {
  const auto object = read_code_object(bytes_of(code_object));
  if (!object) return refused_build(object.error());
  if (auto missing = missing_kernel(kernels_of(*object), launches)) return missing;
  for (const auto check : {check_reaches, check_keeps})
    if (const Status status = check(*object); !status) return refused_build(status.error());
  if (const Status status = check_parameters(*object, launches); !status) return refused_build(status.error());
  return std::nullopt;
}

std::vector<KernelResources> resources_in(std::string_view code_object) {
  auto object = read_code_object(bytes_of(code_object));
  return object ? with_quoted_names(kernels_of(*std::move(object))) : std::vector<KernelResources>();
}

}  // namespace hone::device::hip
