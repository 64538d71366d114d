// Which roles a contract's language has a use for, what descriptors describe, and tunables that are arguments.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "task/candidate.h"
#include "task/read_parts.h"

namespace hone::task {

namespace {

struct RoleRow {
  Role role;
  bool cuda;
  bool hip;
  bool opencl;
  bool function;          // of C++
  std::string_view why;   // no other language
  std::string_view help;  // for them
};

// Roles that only a launch has a use for, or a function that is prepared, and the languages that have them.
constexpr RoleRow k_role_rows[] = {
    {Role::local, false, false, true, false, "only OpenCL hands local memory over as an argument",
     "in CUDA and HIP the launch states dynamic_shared_bytes"},
    {Role::symbol, true, true, false, false, "only a module of CUDA or HIP has symbols that others can fill",
     "pass a buffer with role \"in\""},
    {Role::scratch, true, true, true, false, "only a launch is given device memory to work in",
     "a function allocates what it needs"},
    {Role::derived, true, true, true, true, "only launches and functions of C++ can be prepared",
     "remove the argument"},
    {Role::tensor_map, true, false, false, false, "only CUDA copies tiles by descriptors", "pass the buffer itself"},
};

bool serves(const RoleRow& row, const Kernel& kernel) {
  const Language language = kernel.language;
  if (kernel.call == Call::host_function) return language == Language::cpp && row.function;
  if (kernel.call != Call::launch) return false;
  return (language == Language::cuda && row.cuda) || (language == Language::hip && row.hip) ||
         (language == Language::opencl && row.opencl);
}

void check_language(Reading& reading, const Argument& argument, Position at) {
  const Kernel& kernel = reading.task.kernel;
  const auto row = std::find_if(std::begin(k_role_rows), std::end(k_role_rows),
                                [&argument](const RoleRow& one) { return one.role == argument.role; });
  if (row == std::end(k_role_rows) || serves(*row, kernel)) return;
  reading.report.error(at,
                       fmt::format("argument '{}' has the role \"{}\", which a {} of {} has no use for", argument.name,
                                   name_of(argument.role), kernel.call == Call::launch ? "launch" : "function",
                                   name_of(kernel.language)),
                       std::string(row->why), std::string(row->help));
}

// What a descriptor describes has contents that it can find.
void check_base(Reading& reading, const Argument& argument, Position at) {
  const TensorMap& map = argument.tensor_map;
  if (argument.role != Role::tensor_map || map.base.empty()) return;
  const Argument* base = reading.task.find_argument(map.base);
  std::vector<std::string> buffers;
  for (const Argument& one : reading.task.arguments)
    if (is_buffer(one.role) && one.role != Role::symbol) buffers.push_back(one.name);
  if (!base || !is_buffer(base->role) || base->role == Role::symbol)
    return reading.report.error(at,
                                fmt::format("argument '{}' describes '{}', which is no buffer{}", argument.name,
                                            quote_untrusted(map.base, 64), did_you_mean(map.base, buffers)),
                                "a descriptor says where the tiles of a buffer are", "buffers: " + join(buffers, ", "));
  if (!is_space(base->role)) return;
  if (!map.elements || argument.shape.empty())
    reading.report.error(at,
                         fmt::format("argument '{}' describes '{}', which is mere bytes", argument.name, base->name),
                         "nothing says how they are arranged", "give the descriptor `elements` and `shape` of its own");
}

bool holds_number(const Argument& argument, const std::string& text) {
  const auto value = scope_of({{"value", text}}).at("value");
  const auto* whole = std::get_if<int64_t>(&value.data);
  if (is_floating(argument.dtype)) return whole || std::holds_alternative<double>(value.data);
  const IntegerRange range = integer_range(argument.dtype);
  return whole && *whole >= range.low && (*whole < 0 || static_cast<uint64_t>(*whole) <= range.high);
}

void check_delivered(Reading& reading, const Parameter& parameter, Position at) {
  const Argument* argument = reading.task.find_argument(parameter.name);
  if (!argument || argument->role != Role::scalar || argument->value)
    return reading.report.error(
        at, fmt::format("parameter '{}' is no scalar argument of the kernel", parameter.name),
        "with delivery = \"argument\" the kernel takes each tunable as an argument of that name",
        fmt::format("add an argument '{}' with role \"scalar\" and no value, or use delivery = \"macro\"",
                    parameter.name));
  for (const std::string& value : parameter.values) {
    if (holds_number(*argument, value)) continue;
    reading.report.error(at,
                         fmt::format("parameter '{}' has the value '{}', which is no {}", parameter.name, value,
                                     name_of(argument->dtype)),
                         "it is handed over as an argument of that type", "give numbers that the type can hold");
  }
}

}  // namespace

void check_roles(Reading& reading) {
  if (reading.task.arguments.size() != reading.argument_at.size()) return;
  for (size_t i = 0; i < reading.task.arguments.size(); ++i) {
    check_language(reading, reading.task.arguments[i], reading.argument_at[i]);
    check_base(reading, reading.task.arguments[i], reading.argument_at[i]);
  }
  if (reading.task.delivery != Delivery::argument) return;
  for (size_t i = 0; i < reading.task.parameters.size(); ++i)
    check_delivered(reading, reading.task.parameters[i], reading.parameter_at[i]);
}

}  // namespace hone::task
