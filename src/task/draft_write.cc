// A sketch as the text of task.toml.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/text.h"
#include "task/draft_sketch.h"
#include "task/toml.h"

namespace hone::task {

namespace {

constexpr int64_t k_odd_sizes[] = {61, 53, 47, 43,
                                   37, 31, 29, 23};  // primes: no tile, vector or unroll count divides them

std::string quoted_list(const std::vector<std::string>& items) {
  std::vector<std::string> quoted;
  for (const std::string& item : items) quoted.push_back(quote_toml(item));
  return "[" + join(quoted, ", ") + "]";
}

std::string role_line(const DraftArgument& argument) {
  if (!argument.role) return "role = \"?\"  # out or inout? the code does not tell\n";
  const std::string line = fmt::format("role = \"{}\"", name_of(*argument.role));
  if (argument.role_certainty == Certainty::known) return line + "\n";
  return line + (*argument.role == Role::out ? "  # guessed: its first use is an assignment\n"
                                             : "  # guessed: it is read before it is assigned\n");
}

std::string dtype_line(const DraftArgument& argument) {
  const auto& dtype = argument.parameter.dtype;
  return fmt::format("dtype = \"{}\"\n", dtype ? name_of(*dtype) : "?");
}

std::string shape_line(const DraftArgument& argument) {
  if (!argument.shape) return "shape = \"?\"  # row-major, over the axes\n";
  return fmt::format("shape = {}  # guessed from how it is indexed\n", quoted_list(*argument.shape));
}

// Tolerances of a kernel that is its own oracle: room for another order of the same sums.
std::string tolerances(DType dtype) {
  return fmt::format(
      "compare = {{ rule = \"allclose\", atol = {0}, rtol = {0} }}  # default for {1}: how far an honest reordering "
      "may go\n",
      dtype == DType::f64   ? "1e-12"
      : dtype == DType::f32 ? "1e-5"
                            : "1e-2",
      name_of(dtype));
}

std::string compare_line(const Sketch& sketch, const DraftArgument& argument) {
  const auto dtype = argument.parameter.dtype;
  if (argument.parameter.to_const || !dtype || !is_floating(*dtype)) return "";
  if (sketch.reference_file.empty()) return tolerances(*dtype);
  if (argument.terms.empty()) return "";
  return fmt::format("compare = {{ terms = \"{}\" }}  # guessed: one output sums over these axes\n",
                     join(argument.terms, " * "));
}

std::string space_lines(const DraftArgument& argument) {
  if (argument.role == Role::tensor_map)
    return "base = \"?\"  # the buffer that it describes: an argument of the contract\nbox = \"?\"  # elements of one "
           "tile, "
           "row-major\n";
  if (argument.bytes == "?") return "bytes = \"?\"  # of each work-group\n";
  return fmt::format("bytes = {}  # guessed: an element for each work-item\n", quote_toml(argument.bytes));
}

std::string write_argument(const Sketch& sketch, const DraftArgument& argument) {
  std::string out = fmt::format("\n[[args]]\nname = {}\n", quote_toml(argument.parameter.name));
  out += role_line(argument);
  if (argument.role && is_of_a_launch(*argument.role)) return out + space_lines(argument);
  out += dtype_line(argument);
  if (is_size(argument.parameter)) out += fmt::format("value = {}\n", quote_toml(argument.parameter.name));
  if (argument.parameter.pointer) out += shape_line(argument) + compare_line(sketch, argument);
  return out;
}

template <class Keep>
std::vector<std::string> names_of(const Sketch& sketch, Keep keep) {
  std::vector<std::string> names;
  for (const DraftArgument& argument : sketch.arguments) {
    if (keep(argument.parameter)) names.push_back(argument.parameter.name);
  }
  return names;
}

std::vector<LaunchAxis> launch_axes(const Sketch& sketch) {
  return sketch.launch ? sketch.launch->axes : std::vector<LaunchAxis>{};
}

std::string axis_line(const LaunchAxis& axis) {
  if (axis.multiple_of > 1)
    return fmt::format(
        "{0} = {{ kind = \"case\", min = {1}, multiple_of = {1} }}  # guessed: the kernel holds its index to no bound, "
        "so "
        "whole blocks alone are right\n",
        axis.name, axis.multiple_of);
  return fmt::format("{} = {{ kind = \"case\", min = 1 }}  # guessed: the grid alone says how many there are\n",
                     axis.name);
}

std::string write_axes(const Sketch& sketch) {
  std::string out = "\n[axes]\n";
  for (const std::string& name : names_of(sketch, is_size))
    out += fmt::format("{} = {{ kind = \"case\", min = 1 }}  # guessed: an integer passed by value is a size\n", name);
  for (const LaunchAxis& axis : launch_axes(sketch)) out += axis_line(axis);
  return out;
}

std::string device_kernel(const Sketch& sketch) {
  return fmt::format(
      "\n[kernel]\nlanguage = \"{0}\"\nsources = [{1}]\nentry = {2}\ncall = \"launch\"\neditable = [{1}]\n",
      name_of(sketch.language), quote_toml(sketch.kernel_file), quote_toml(sketch.kernel.name));
}

std::string dimensions_line(std::string_view key, const std::vector<std::string>& list, const std::string& why) {
  std::vector<std::string> items;
  for (const std::string& one : list)
    items.push_back(one.find_first_not_of("0123456789") == std::string::npos ? one : quote_toml(one));
  return fmt::format("{} = [{}]  # {}\n", key, join(items, ", "), why);
}

std::string write_tunables(const LaunchGuess& launch) {
  if (launch.tunables.empty()) return "";
  std::string out = "\n[tune.parameters]\n";
  for (const std::string& name : launch.tunables)
    out += fmt::format(
        "{} = {{ values = \"?\", default = \"?\" }}  # used and nowhere defined: a tunable, such as [64, 128]?\n",
        name);
  return out;
}

std::string write_launch(const LaunchGuess& launch) {
  std::string out = "\n[[launch]]\n";
  out += dimensions_line("grid", launch.grid, "in blocks, " + launch.grid_why);
  out += dimensions_line("block", launch.block, launch.block_why);
  if (!launch.dynamic_shared_bytes) return out;
  return out + fmt::format("dynamic_shared_bytes = {}  # the kernel declares shared memory without a size\n",
                           quote_toml(*launch.dynamic_shared_bytes));
}

std::string write_kernel(const Sketch& sketch) {
  if (sketch.launch) return device_kernel(sketch) + write_launch(*sketch.launch) + write_tunables(*sketch.launch);
  return fmt::format(
      "\n[kernel]\nlanguage = \"cpp\"\nsources = [{0}]\nentry = {1}\ncall = \"host_function\"\neditable = [{0}]\n",
      quote_toml(sketch.kernel_file), quote_toml(sketch.kernel.name));
}

std::string write_oracle(const Sketch& sketch) {
  if (sketch.reference_file.empty())
    return "\n[oracle]\nkind = \"baseline\"  # the kernel as it stands says what is right: its bugs become the "
           "specification\n";
  return fmt::format("\n[oracle]\nkind = \"c_function\"\nsources = [{}]\nentry = {}\n",
                     quote_toml(sketch.reference_file), quote_toml(sketch.reference_entry));
}

// A size or a scalar as TOML writes it: a double keeps its point.
std::string bound_text(const BoundValue& value) {
  if (const auto* whole = std::get_if<int64_t>(&value)) return std::to_string(*whole);
  return Expression::constant(std::get<double>(value)).canonical();
}

// What a case binds: sizes, scalars, and axes of the launch. `step`: a size is a multiple of it; 0 for a scalar.
struct Free {
  std::string name;
  int64_t step = 0;
};

std::vector<Free> free_names(const Sketch& sketch) {
  std::vector<Free> out;
  for (const DraftArgument& argument : sketch.arguments) {
    if (is_size(argument.parameter)) out.push_back({argument.parameter.name, 1});
    if (is_free_scalar(argument.parameter)) out.push_back({argument.parameter.name, 0});
  }
  for (const LaunchAxis& axis : launch_axes(sketch)) out.push_back({axis.name, axis.multiple_of});
  return out;
}

// Scalars keep their value in every case; `size` says what becomes of a dimension.
template <class Size>
std::string write_case(const Sketch& sketch, std::string_view id, std::string_view use, Size size) {
  std::vector<std::string> bind;
  size_t index = 0;
  for (const Free& free : free_names(sketch)) {
    const auto known = sketch.dimensions.find(free.name);
    if (known == sketch.dimensions.end()) {
      bind.push_back(fmt::format("{} = \"?\"", free.name));
    } else {
      const auto* whole = free.step > 0 ? std::get_if<int64_t>(&known->second) : nullptr;
      bind.push_back(
          fmt::format("{} = {}", free.name,
                      bound_text(whole ? BoundValue(size(*whole / free.step, index) * free.step) : known->second)));
    }
    index += free.step > 0 ? 1 : 0;
  }
  const std::string binding = bind.empty() ? "" : fmt::format("bind = {{ {} }}\n", join(bind, ", "));
  return fmt::format("\n[[cases]]\nid = \"{}\"\nuse = [{}]\n{}", id, use, binding);
}

int64_t odd_size(int64_t full, size_t index) {
  const int64_t prime = k_odd_sizes[index % std::size(k_odd_sizes)];
  return full > prime ? prime : std::max<int64_t>(1, full - (full % 2 == 0 ? 1 : 0));
}

std::string write_cases(const Sketch& sketch) {
  const std::string full = write_case(sketch, "full", "\"verify\", \"time\"",
                                      [](int64_t size, size_t) { return std::max<int64_t>(size, 1); });
  if (sketch.dimensions.empty()) return full;
  return write_case(sketch, "one", "\"verify\"", [](int64_t, size_t) { return int64_t{1}; }) +
         write_case(sketch, "odd", "\"verify\"", odd_size) + full;
}

}  // namespace

std::string write_draft(const Sketch& sketch) {
  std::string out =
      fmt::format("# Drafted from {}. Every \"?\" must be answered before `hone check` passes.\n", sketch.kernel_file);
  out += fmt::format("schema = \"task/1\"\nname = {}\nsummary = {}\n", quote_toml(sketch.kernel.name),
                     quote_toml(sketch.kernel.name + " of " + sketch.kernel_file));
  out += write_axes(sketch);
  for (const DraftArgument& argument : sketch.arguments) out += write_argument(sketch, argument);
  return out + write_kernel(sketch) + write_oracle(sketch) + write_cases(sketch);
}

}  // namespace hone::task
