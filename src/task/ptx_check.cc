// Whether a PTX module is what its contract says.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "task/ptx_signature.h"

namespace hone::task {

namespace {

constexpr uint64_t k_pointer_bytes = 8;
constexpr uint64_t k_tensor_map_bytes = 128;  // CUtensorMap, aligned to 64
constexpr uint64_t k_tensor_map_align_bytes = 64;

Error refused(std::string what, std::string why, std::string help) {
  return {ErrorCode::contract, std::move(what), {}, std::move(why), std::move(help)};
}

struct Remedy {
  std::string_view function;  // the name's beginning
  std::string_view help;
};
constexpr Remedy k_remedies[] = {
    {"vprintf", "remove the printf: nobody reads it, and it writes to the host"},
    {"__assertfail", "remove the assert, or build with NDEBUG"},
    {"malloc", "ask for a `scratch` argument in the contract"},
    {"free", "ask for a `scratch` argument in the contract"},
    {"cudaLaunchDevice", "launch from the contract: [[launch]] may stand there several times"},
    {"cudaGetParameterBuffer", "launch from the contract: [[launch]] may stand there several times"},
    {"cudaDevice", "launch from the contract: no device runtime is linked"},
};

std::string remedy_for(const std::string& function) {
  const auto row = std::find_if(std::begin(k_remedies), std::end(k_remedies),
                                [&function](const Remedy& one) { return function.starts_with(one.function); });
  return row == std::end(k_remedies) ? "define it in the kernel's own files" : std::string(row->help);
}

std::string describe(const PtxParameter& parameter) {
  if (parameter.pointer) return "a pointer";
  if (parameter.type == "b8" || parameter.type == "b128")
    return fmt::format("{} bytes aligned to {}", parameter.size_bytes, parameter.align_bytes);
  return fmt::format(".{} ({} bytes)", parameter.type, parameter.size_bytes);
}

bool is_floating_type(std::string_view type) { return type.starts_with("f") || type.starts_with("bf"); }
bool is_integer_type(std::string_view type) { return type.starts_with("u") || type.starts_with("s"); }

bool takes_number(const PtxParameter& parameter, DType dtype) {
  if (parameter.pointer || parameter.size_bytes != size_bytes(dtype)) return false;
  // A half travels as an integer or as bytes of its size.
  if (dtype == DType::f16 || dtype == DType::bf16) return parameter.type != (dtype == DType::f16 ? "bf16" : "f16");
  return is_floating(dtype) ? !is_integer_type(parameter.type) : !is_floating_type(parameter.type);
}

bool takes(const PtxParameter& parameter, const Handed& argument) {
  if (argument.role == Role::tensor_map)
    return parameter.size_bytes == k_tensor_map_bytes && parameter.align_bytes % k_tensor_map_align_bytes == 0;
  if (is_buffer(argument.role))
    return parameter.size_bytes == k_pointer_bytes && !is_floating_type(parameter.type) && parameter.type != "b8";
  return is_number(argument.role) && takes_number(parameter, argument.dtype);
}

std::string describe(const Handed& argument) {
  if (argument.role == Role::tensor_map) return "a tensor map (128 bytes aligned to 64)";
  if (is_buffer(argument.role)) return "a pointer";
  return fmt::format("{} ({} bytes)", name_of(argument.dtype), size_bytes(argument.dtype));
}

uint64_t product(const Dimensions& d) { return uint64_t{d[0]} * d[1] * d[2]; }
std::string text_of(const Dimensions& d) { return fmt::format("{} x {} x {}", d[0], d[1], d[2]); }

Status check_block(const BoundLaunch& launch, const PtxEntry& entry) {
  const std::string_view why = "the device would refuse the launch";
  if (entry.required_threads && *entry.required_threads != launch.block)
    return refused(fmt::format("'{}' is launched with blocks of {}, it requires {}", entry.name, text_of(launch.block),
                               text_of(*entry.required_threads)),
                   std::string(why), "make the two the same");
  if (entry.most_threads && product(launch.block) > product(*entry.most_threads))
    return refused(fmt::format("'{}' is launched with {} threads a block, __launch_bounds__ allows {}", entry.name,
                               product(launch.block), product(*entry.most_threads)),
                   std::string(why), "make the block smaller, or the bound larger");
  return ok();
}

Error lacking(const std::vector<std::string>& functions) {
  std::vector<std::string> names;
  std::vector<std::string> remedies;
  for (const std::string& function : functions) {
    names.push_back(fmt::format("'{}'", function));
    std::string remedy = remedy_for(function);
    if (std::find(remedies.begin(), remedies.end(), remedy) == remedies.end()) remedies.push_back(std::move(remedy));
  }
  return refused(
      fmt::format("the kernel calls {}, which {} not in it", join(names, " and "), functions.size() > 1 ? "are" : "is"),
      "a module is loaded alone: nothing is linked to it", join(remedies, "; "));
}

}  // namespace

Status check_self_contained(const PtxModule& module) {
  if (!module.unresolved.empty()) return lacking(module.unresolved);
  const auto written =
      std::find_if(module.globals.begin(), module.globals.end(), [](const PtxVariable& one) { return !one.only_read; });
  if (written == module.globals.end()) return ok();
  return refused(fmt::format("the kernel has the global variable '{}' of {} bytes", written->name, written->size_bytes),
                 "what it keeps there would be found by its next launch",
                 "make tables __constant__, and working memory a `scratch` argument");
}

Status check_parameters(const std::vector<Handed>& arguments, const PtxEntry& entry) {
  const size_t common = std::min(arguments.size(), entry.parameters.size());
  for (size_t i = 0; i < common; ++i) {
    if (takes(entry.parameters[i], arguments[i])) continue;
    return refused(fmt::format("parameter {} of '{}' is {}, the contract hands over '{}', {}", i + 1, entry.name,
                               describe(entry.parameters[i]), arguments[i].name, describe(arguments[i])),
                   "the kernel would read something else than it was given",
                   "make the two agree: same order, same types");
  }
  if (arguments.size() == entry.parameters.size()) return ok();
  const bool fewer = arguments.size() < entry.parameters.size();
  return refused(fmt::format("'{}' takes {}, the contract hands over {}{}", entry.name,
                             counted(entry.parameters.size(), "parameter"), arguments.size(),
                             fewer ? std::string() : fmt::format(": '{}' has no place", arguments[common].name)),
                 "every parameter is an argument of the contract",
                 fewer ? fmt::format("add what parameter {} is, {}, to the contract or to the args of the launch",
                                     common + 1, describe(entry.parameters[common]))
                       : "add the parameter, or name in the args of the launch what the kernel takes");
}

Status check_launch(const Task& task, const BoundLaunch& launch, const PtxModule& module) {
  const PtxEntry* entry = module.find(launch.entry);
  if (entry) {
    HONE_CHECK(check_parameters(handed(task, launch.arguments), *entry));
    return check_block(launch, *entry);
  }
  std::vector<std::string> names;
  for (const PtxEntry& one : module.entries) names.push_back(quote_untrusted(one.name, 64));
  return refused(fmt::format("the kernel '{}' is not there{}", launch.entry, did_you_mean(launch.entry, names)),
                 "a launch names its kernel by the plain name of an extern \"C\" function",
                 names.empty() ? "the file has no kernel" : "it has " + join(names, ", "));
}

}  // namespace hone::task
