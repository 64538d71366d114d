// What can be wrong with a kernel, its reference and its dimensions before a contract is drafted from them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/disk.h"
#include "base/text.h"
#include "task/draft_sketch.h"
#include "task/section.h"

namespace hone::task {

namespace {

constexpr std::string_view k_reference_rule =
    "a reference computes in double: the kernel's parameters in order, floating types widened to double, then double* "
    "NAME_magnitude for each floating output";

std::optional<DType> widened(std::optional<DType> dtype) { return dtype && is_floating(*dtype) ? DType::f64 : dtype; }

std::string_view cpp_name(DType dtype) {
  struct Row {
    DType dtype;
    std::string_view name;
  };
  static constexpr Row rows[] = {{DType::f64, "double"},   {DType::f32, "float"},      {DType::f16, "_Float16"},
                                 {DType::bf16, "__bf16"},  {DType::i64, "long"},       {DType::i32, "int"},
                                 {DType::i16, "short"},    {DType::i8, "signed char"}, {DType::u64, "size_t"},
                                 {DType::u32, "unsigned"}, {DType::u16, "uint16_t"},   {DType::u8, "unsigned char"},
                                 {DType::boolean, "bool"}};
  const auto found =
      std::find_if(std::begin(rows), std::end(rows), [dtype](const Row& row) { return row.dtype == dtype; });
  return found->name;
}

// "const float*"
std::string type_text(const CppParameter& parameter) {
  const std::string_view name = parameter.dtype ? cpp_name(*parameter.dtype) : "a type that a contract has no name for";
  return fmt::format("{}{}{}", parameter.pointer && parameter.to_const ? "const " : "", name,
                     parameter.pointer ? "*" : "");
}

bool matches(const CppParameter& kernel, const CppParameter& reference) {
  return kernel.pointer == reference.pointer && (!kernel.pointer || kernel.to_const == reference.to_const) &&
         widened(kernel.dtype) == reference.dtype;
}

Error mismatch(const fs::path& file, const CppParameter& kernel, const CppParameter& reference) {
  CppParameter wanted = kernel;
  wanted.dtype = widened(kernel.dtype);
  Error error = cpp_error(file, reference.at,
                          fmt::format("parameter '{}' of the reference: expected {}, found {}", reference.name,
                                      type_text(wanted), type_text(reference)),
                          std::string(k_reference_rule));
  error.why = fmt::format("it takes what the kernel takes as '{}', {}", kernel.name, type_text(kernel));
  return error;
}

std::vector<std::string> magnitudes(const CppFunction& kernel) {
  std::vector<std::string> names;
  for (const CppParameter& parameter : kernel.parameters) {
    if (parameter.pointer && !parameter.to_const && parameter.dtype && is_floating(*parameter.dtype))
      names.push_back(parameter.name + "_magnitude");
  }
  return names;
}

Status check_magnitudes(const fs::path& file, const CppFunction& reference, const std::vector<std::string>& wanted,
                        size_t first) {
  const auto& found = reference.parameters;
  if (found.size() != first + wanted.size())
    return cpp_error(file, reference.at,
                     fmt::format("'{}' has {}, the contract asks for {}", reference.name,
                                 counted(found.size(), "parameter"), first + wanted.size()),
                     std::string(k_reference_rule));
  for (size_t i = 0; i < wanted.size(); ++i) {
    const CppParameter& parameter = found[first + i];
    if (!parameter.pointer || parameter.to_const || parameter.dtype != DType::f64)
      return cpp_error(
          file, parameter.at,
          fmt::format("'{}' should be double* {}, found {}", parameter.name, wanted[i], type_text(parameter)),
          std::string(k_reference_rule));
  }
  return ok();
}

Status check_parameter_name(const CppParameter& parameter, const fs::path& file, std::set<std::string>& seen) {
  if (!seen.insert(parameter.name).second)
    return cpp_error(file, parameter.at,
                     fmt::format("two parameters are called '{}'", quote_untrusted(parameter.name, 64)),
                     "give each its own name: the contract refers to it");
  if (!is_identifier(parameter.name))
    return cpp_error(file, parameter.at,
                     fmt::format("'{}' is no name for an argument", quote_untrusted(parameter.name, 64)),
                     "letters, digits and '_', at most 128 of them");
  if (is_size(parameter) && !is_free_name(parameter.name))
    return cpp_error(file, parameter.at,
                     fmt::format("the size '{}' is named like a word of the contract's expressions", parameter.name),
                     "rename it: shapes are expressions over the sizes");
  return ok();
}

Error unfit(const std::string& name, const BoundValue& value, std::string_view why, std::string help) {
  const std::string text = std::visit([](auto number) { return fmt::format("{}", number); }, value);
  return {ErrorCode::usage,
          fmt::format("'{}' is {}, {}", name, text, why),
          {},
          "it would stand in every case",
          std::move(help)};
}

Status check_dimension(const CppParameter& parameter, const BoundValue& value) {
  const auto* whole = std::get_if<int64_t>(&value);
  if (is_size(parameter)) {
    if (!whole) return unfit(parameter.name, value, "sizes are whole numbers", "write it without a point");
    if (*whole < 1) return unfit(parameter.name, value, "sizes start at 1", "give a size of at least 1");
    return ok();
  }
  const double number = whole ? static_cast<double>(*whole) : std::get<double>(value);
  if (parameter.dtype && std::abs(number) > largest_finite(*parameter.dtype))
    return unfit(parameter.name, value, fmt::format("which does not fit into {}", cpp_name(*parameter.dtype)),
                 "give a smaller number");
  return ok();
}

}  // namespace

Status check_reference(const CppFunction& kernel, const fs::path& file, const CppFunction& reference) {
  const auto& wanted = kernel.parameters;
  const auto& found = reference.parameters;
  for (size_t i = 0; i < std::min(wanted.size(), found.size()); ++i) {
    if (!matches(wanted[i], found[i])) return mismatch(file, wanted[i], found[i]);
  }
  return check_magnitudes(file, reference, magnitudes(kernel), wanted.size());
}

Status check_kernel_names(const CppFunction& kernel, const fs::path& file) {
  if (!is_identifier(kernel.name))
    return cpp_error(file, kernel.at, fmt::format("'{}' is no name for a kernel", quote_untrusted(kernel.name, 64)),
                     "letters, digits and '_', at most 128 of them");
  std::set<std::string> seen;
  for (const CppParameter& parameter : kernel.parameters) HONE_CHECK(check_parameter_name(parameter, file, seen));
  return ok();
}

namespace {

// A kernel that holds its index to no bound is called with whole blocks.
Status check_whole_blocks(const Sketch& sketch) {
  for (const LaunchAxis& axis : sketch.launch ? sketch.launch->axes : std::vector<LaunchAxis>{}) {
    const auto given = sketch.dimensions.find(axis.name);
    if (given == sketch.dimensions.end() || std::get<int64_t>(given->second) % axis.multiple_of == 0) continue;
    return unfit(axis.name, given->second,
                 fmt::format("no multiple of the {} threads that a block is given", axis.multiple_of),
                 "give a multiple of them: the kernel holds its index to no bound");
  }
  return ok();
}

}  // namespace

Status check_dimensions(const Sketch& sketch) {
  std::map<std::string, CppParameter> free;
  std::vector<std::string> names;
  for (const CppParameter& parameter : sketch.kernel.parameters) {
    if (is_size(parameter) || is_free_scalar(parameter)) free[parameter.name] = parameter;
  }
  for (const LaunchAxis& axis : sketch.launch ? sketch.launch->axes : std::vector<LaunchAxis>{})
    free[axis.name] = CppParameter{.name = axis.name, .dtype = DType::i64, .at = {}};
  for (const auto& [name, parameter] : free) names.push_back(name);
  for (const auto& [name, value] : sketch.dimensions) {
    const auto parameter = free.find(name);
    if (parameter == free.end())
      return Error{ErrorCode::usage,
                   fmt::format("the kernel has no size '{}'{}", name, did_you_mean(name, names)),
                   {},
                   "--dims says with which sizes and scalars the kernel is called",
                   names.empty() ? "it takes pointers alone" : "it has " + join(names, ", ")};
    HONE_CHECK(check_dimension(parameter->second, value));
  }
  return check_whole_blocks(sketch);
}

}  // namespace hone::task
