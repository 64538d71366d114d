#include "task/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/disk.h"
#include "base/text.h"
#include "task/cpp_usage.h"
#include "task/draft_sketch.h"
#include "task/inside.h"
#include "task/read.h"
#include "task/section.h"

namespace hone::task {

namespace {

constexpr uint64_t k_source_limit_bytes = 1 << 20;

struct Source {
  fs::path path;
  std::string text;
  CppFunction function;  // its tokens point into `text`
};

Status check_extension(const fs::path& file) {
  for (const std::string_view known : {".cpp", ".cc", ".cxx", ".C", ".c++"}) {
    if (file.extension() == known) return ok();
  }
  return Error{ErrorCode::contract,
               fmt::format("'{}' is no C++ file", file.string()),
               {},
               "this hone drafts from C++ sources alone",
               "write task.toml by hand: docs/task.md shows every key"};
}

// The reference of a kernel NAME is NAME_reference, if there is a choice.
std::string reference_entry(const std::vector<CppFunction>& functions, const std::string& kernel) {
  const std::string usual = kernel + "_reference";
  const bool there =
      std::any_of(functions.begin(), functions.end(), [&usual](const CppFunction& f) { return f.name == usual; });
  return there ? usual : "";
}

Status read_source(const fs::path& file, Source& out, const std::string& entry, const std::string* kernel) {
  HONE_CHECK(check_extension(file));
  out.path = file;
  HONE_TRY(out.text, read_file(file, k_source_limit_bytes));
  HONE_TRY(const auto functions, extern_c_functions(file, out.text));
  HONE_TRY(out.function, choose_function(file, functions, kernel ? reference_entry(functions, *kernel) : entry));
  return ok();
}

Status check_kernel(const Source& kernel) {
  const CppFunction& function = kernel.function;
  if (function.returns != "int" && function.returns != "void")
    return cpp_error(kernel.path, function.at, fmt::format("'{}' returns {}", function.name, function.returns),
                     "return int (0 = ok) or void");
  const bool writes = std::any_of(function.parameters.begin(), function.parameters.end(),
                                  [](const CppParameter& p) { return p.pointer && !p.to_const; });
  if (!writes)
    return cpp_error(kernel.path, function.at, fmt::format("'{}' writes nothing", function.name),
                     "an output is a pointer to non-const");
  return ok();
}

std::optional<DType> widened(std::optional<DType> dtype) { return dtype && is_floating(*dtype) ? DType::f64 : dtype; }

bool matches(const CppParameter& kernel, const CppParameter& reference) {
  return kernel.pointer == reference.pointer && (!kernel.pointer || kernel.to_const == reference.to_const) &&
         widened(kernel.dtype) == reference.dtype;
}

std::vector<std::string> magnitudes(const CppFunction& kernel) {
  std::vector<std::string> names;
  for (const CppParameter& parameter : kernel.parameters) {
    if (parameter.pointer && !parameter.to_const && parameter.dtype && is_floating(*parameter.dtype))
      names.push_back(parameter.name + "_magnitude");
  }
  return names;
}

constexpr std::string_view k_reference_rule =
    "the kernel's parameters in order, floating types widened to double, then double* NAME_magnitude for each floating "
    "output";

Status check_magnitudes(const Source& reference, const std::vector<std::string>& wanted, size_t first) {
  const auto& found = reference.function.parameters;
  if (found.size() != first + wanted.size())
    return cpp_error(reference.path, reference.function.at,
                     fmt::format("'{}' has {} parameters, the contract asks for {}", reference.function.name,
                                 found.size(), first + wanted.size()),
                     std::string(k_reference_rule));
  for (size_t i = 0; i < wanted.size(); ++i) {
    const CppParameter& parameter = found[first + i];
    if (!parameter.pointer || parameter.to_const || parameter.dtype != DType::f64)
      return cpp_error(reference.path, parameter.at,
                       fmt::format("'{}' should be double* {}", parameter.name, wanted[i]),
                       std::string(k_reference_rule));
  }
  return ok();
}

Status check_reference(const Source& kernel, const Source& reference) {
  const auto& wanted = kernel.function.parameters;
  const auto& found = reference.function.parameters;
  for (size_t i = 0; i < std::min(wanted.size(), found.size()); ++i) {
    if (!matches(wanted[i], found[i]))
      return cpp_error(reference.path, found[i].at,
                       fmt::format("parameter '{}' does not match the kernel's '{}'", found[i].name, wanted[i].name),
                       std::string(k_reference_rule));
  }
  return check_magnitudes(reference, magnitudes(kernel.function), wanted.size());
}

// A name that the contract can use in expressions and that is one of the sizes, or a number.
bool is_extent(const CppFunction& kernel, const std::string& text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) return true;
  return std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                     [&text](const CppParameter& p) { return is_size(p) && p.name == text; });
}

// The name of the kernel's parameter i in the function that is read for its use.
DraftArgument sketch_argument(const CppFunction& kernel, const CppFunction& read, size_t i) {
  DraftArgument out{
      .parameter = kernel.parameters[i], .role = {}, .role_certainty = Certainty::known, .shape = {}, .terms = {}};
  if (is_size(out.parameter)) out.role = Role::size;
  if (is_free_scalar(out.parameter)) out.role = Role::scalar;
  if (!out.parameter.pointer) return out;
  const std::string& name = read.parameters[i].name;
  out.role = out.parameter.to_const ? Role::in : guess_role(read, name);
  out.role_certainty = out.parameter.to_const ? Certainty::known : Certainty::guessed;
  const auto shape = guess_shape(read, name);
  const bool usable = shape && std::all_of(shape->begin(), shape->end(),
                                           [&kernel](const std::string& extent) { return is_extent(kernel, extent); });
  if (usable) out.shape = shape;
  return out;
}

void sketch_terms(std::vector<DraftArgument>& arguments) {
  std::set<std::string> read;
  for (const DraftArgument& argument : arguments) {
    if (!argument.parameter.pointer) continue;
    if (!argument.shape || !argument.role) return;
    if (is_read(*argument.role)) read.insert(argument.shape->begin(), argument.shape->end());
  }
  for (DraftArgument& argument : arguments) {
    if (!argument.role || !is_written(*argument.role)) continue;
    for (const std::string& axis : read) {
      const bool kept = std::find(argument.shape->begin(), argument.shape->end(), axis) != argument.shape->end();
      if (!kept && is_identifier(axis)) argument.terms.push_back(axis);
    }
  }
}

Status check_dimensions(const CppFunction& kernel, const std::map<std::string, int64_t>& dimensions) {
  std::vector<std::string> names;
  for (const CppParameter& parameter : kernel.parameters) {
    if (is_size(parameter) || is_free_scalar(parameter)) names.push_back(parameter.name);
  }
  for (const auto& [name, value] : dimensions) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      return Error{ErrorCode::usage,
                   fmt::format("the kernel has no size '{}'{}", name, did_you_mean(name, names)),
                   {},
                   {},
                   "it has " + join(names, ", ")};
    if (value < 1) return Error{ErrorCode::usage, fmt::format("'{}' is {}, sizes start at 1", name, value)};
  }
  return ok();
}

Result<std::string> beside(const fs::path& kernel, const fs::path& reference) {
  const std::string relative = fs::absolute(reference)
                                   .lexically_normal()
                                   .lexically_relative(fs::absolute(kernel).lexically_normal().parent_path())
                                   .string();
  if (const auto sound = check_relative(relative); !sound)
    return Error{ErrorCode::contract,
                 fmt::format("'{}' is not in the kernel's folder", reference.string()),
                 {},
                 "a task is one folder; its files never leave it",
                 "copy it beside the kernel"};
  return relative;
}

Result<Draft> finished(const Sketch& sketch, const fs::path& folder) {
  Draft draft{.toml = write_draft(sketch), .open_questions = {}};
  ReadTask read = read_task_text(draft.toml, folder / "task.toml");
  if (!read.diagnostics.errors.empty())
    return Error{ErrorCode::contract, "the drafted contract has a fault"}.because(read.diagnostics.errors.front());
  for (const Error& question : read.diagnostics.open_questions)
    draft.open_questions.push_back(fmt::format("line {}: {} ({})", question.where.line, question.what, question.help));
  return draft;
}

Status add_reference(const Source& kernel, const fs::path& path, Source& reference, Sketch& sketch) {
  HONE_CHECK(read_source(path, reference, "", &kernel.function.name));
  HONE_CHECK(check_reference(kernel, reference));
  HONE_TRY(sketch.reference_file, beside(kernel.path, path));
  sketch.reference_entry = reference.function.name;
  return ok();
}

}  // namespace

bool is_size(const CppParameter& parameter) {
  return !parameter.pointer && parameter.dtype && !is_floating(*parameter.dtype);
}
bool is_free_scalar(const CppParameter& parameter) { return !parameter.pointer && !is_size(parameter); }

Result<Draft> draft_task(const DraftRequest& request) {
  Source kernel, reference;
  HONE_CHECK(read_source(request.kernel, kernel, request.entry, nullptr));
  HONE_CHECK(check_kernel(kernel));
  HONE_CHECK(check_dimensions(kernel.function, request.dimensions));
  Sketch sketch;
  sketch.kernel_file = request.kernel.filename().string();
  sketch.kernel = kernel.function;
  sketch.dimensions = request.dimensions;
  if (request.reference) HONE_CHECK(add_reference(kernel, *request.reference, reference, sketch));
  const CppFunction& read = request.reference ? reference.function : kernel.function;
  for (size_t i = 0; i < kernel.function.parameters.size(); ++i)
    sketch.arguments.push_back(sketch_argument(kernel.function, read, i));
  sketch_terms(sketch.arguments);
  return finished(sketch, request.kernel.parent_path());
}

}  // namespace hone::task
