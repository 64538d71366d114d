#include "task/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/disk.h"
#include "base/text.h"
#include "task/cpp_usage.h"
#include "task/draft_sketch.h"
#include "task/inside.h"
#include "task/named_file.h"
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
  HONE_TRY(out.text, read_named_file(file, k_source_limit_bytes, ErrorCode::usage, "the draft is made from its text"));
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
  if (!read.diagnostics.errors.empty()) {
    Error fault = read.diagnostics.errors.front();
    fault.where = {};  // a place in a file that nobody wrote
    return Error{ErrorCode::contract,
                 fmt::format("no contract can be drafted for '{}'", sketch.kernel.name),
                 {(folder / sketch.kernel_file).string(), sketch.kernel.at.line, sketch.kernel.at.column},
                 "what its signature says makes no sound contract",
                 "change the function, or write task.toml by hand: docs/task.md shows every key"}
        .because(std::move(fault));
  }
  for (const Error& question : read.diagnostics.open_questions)
    draft.open_questions.push_back(fmt::format("line {}: {} ({})", question.where.line, question.what, question.help));
  return draft;
}

Status add_reference(const Source& kernel, const fs::path& path, Source& reference, Sketch& sketch) {
  HONE_CHECK(read_source(path, reference, "", &kernel.function.name));
  HONE_CHECK(check_reference(kernel.function, reference.path, reference.function));
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
  HONE_CHECK(check_kernel_names(kernel.function, kernel.path));
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
