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
  DeviceKernel kernel;   // the same with its attributes, of a device kernel
  FoldedBody folded;
};

// The reference of a kernel NAME is NAME_reference, if there is a choice.
std::string reference_entry(const std::vector<CppFunction>& functions, const std::string& kernel) {
  const std::string usual = kernel + "_reference";
  const bool there =
      std::any_of(functions.begin(), functions.end(), [&usual](const CppFunction& f) { return f.name == usual; });
  return there ? usual : "";
}

Status read_text(const fs::path& file, Source& out) {
  out.path = file;
  HONE_TRY(out.text, read_named_file(file, k_source_limit_bytes, ErrorCode::usage, "the draft is made from its text"));
  return ok();
}

Status read_function(Source& out, const std::string& entry, const std::string* kernel) {
  HONE_TRY(const auto functions, extern_c_functions(out.path, out.text));
  HONE_TRY(out.function, choose_function(out.path, functions, kernel ? reference_entry(functions, *kernel) : entry));
  return ok();
}

Status read_device_kernel(Source& out, const std::string& entry, Sketch& sketch) {
  HONE_TRY(const auto kernels, device_kernels(out.path, out.text, dialect_of(sketch.language)));
  std::vector<CppFunction> functions;
  for (const DeviceKernel& kernel : kernels) functions.push_back(kernel.function);
  HONE_TRY(out.function, choose_function(out.path, functions, entry, "kernel"));
  for (const DeviceKernel& kernel : kernels)
    if (kernel.function.name == out.function.name) out.kernel = kernel;
  const NamedWords names = named_words(out.text);
  out.folded = fold_body(out.function, names.constants);
  sketch.launch = guess_launch(out.kernel, out.folded, names);
  return ok();
}

// The kernel itself: what it is called with, and for a device what it is launched with.
Status read_kernel_source(const DraftRequest& request, Source& out, Sketch& sketch) {
  HONE_TRY(sketch.language, draft_language(request.kernel, request.language));
  HONE_CHECK(read_text(request.kernel, out));
  if (sketch.language == Language::cpp) return read_function(out, request.entry, nullptr);
  return read_device_kernel(out, request.entry, sketch);
}

Status check_kernel(const Source& kernel, Language language) {
  const CppFunction& function = kernel.function;
  if (language == Language::cpp && function.returns != "int" && function.returns != "void")
    return cpp_error(kernel.path, function.at, fmt::format("'{}' returns {}", function.name, function.returns),
                     "return int (0 = ok) or void");
  const bool writes = std::any_of(function.parameters.begin(), function.parameters.end(),
                                  [](const CppParameter& p) { return p.pointer && !p.to_const && !p.local; });
  if (!writes)
    return cpp_error(kernel.path, function.at, fmt::format("'{}' writes nothing", function.name),
                     "an output is a pointer to non-const");
  return ok();
}

// A name that the contract can use in expressions and that is one of the sizes, or a number.
bool is_extent_word(const Sketch& sketch, const std::string& text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) return true;
  const auto& parameters = sketch.kernel.parameters;
  if (std::any_of(parameters.begin(), parameters.end(),
                  [&text](const CppParameter& p) { return is_size(p) && p.name == text; }))
    return true;
  return sketch.launch && std::any_of(sketch.launch->axes.begin(), sketch.launch->axes.end(),
                                      [&text](const LaunchAxis& axis) { return axis.name == text; });
}

// "n", "m * n"
bool is_extent(const Sketch& sketch, const std::string& text) {
  const auto words = split(text, '*');
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return is_extent_word(sketch, std::string(trim(word))); });
}

// Where the use of the kernel's buffers is read: its reference, or its own body.
struct Reader {
  const CppFunction& function;
  Bounds bounds;
};

void sketch_buffer(const Sketch& sketch, const Reader& reader, const std::string& name, DraftArgument& out) {
  out.role = out.parameter.to_const ? Role::in : guess_role(reader.function, name);
  out.role_certainty = out.parameter.to_const ? Certainty::known : Certainty::guessed;
  const auto shape = guess_shape(reader.function, name, reader.bounds);
  const bool usable = shape && std::all_of(shape->begin(), shape->end(),
                                           [&sketch](const std::string& extent) { return is_extent(sketch, extent); });
  if (usable) out.shape = shape;
}

// `name`: what the reader calls the parameter.
DraftArgument sketch_argument(const Sketch& sketch, const Reader& reader, const CppParameter& parameter,
                              const std::string& name) {
  DraftArgument out{
      .parameter = parameter, .role = {}, .role_certainty = Certainty::known, .shape = {}, .terms = {}, .bytes = {}};
  if (is_tensor_map(parameter)) out.role = Role::tensor_map;
  if (is_size(parameter)) out.role = Role::size;
  if (is_free_scalar(parameter)) out.role = Role::scalar;
  if (parameter.local) out.role = Role::local;
  if (parameter.pointer && !parameter.local) sketch_buffer(sketch, reader, name, out);
  return out;
}

// The reference takes the same but for what only a launch has.
void sketch_arguments(const Reader& reader, const Source& kernel, Sketch& sketch) {
  size_t next = 0;
  const bool same = &reader.function == &kernel.folded.function;
  for (const CppParameter& parameter : sketch.kernel.parameters) {
    const bool space = parameter.local || is_tensor_map(parameter);
    const std::string name = same || space ? parameter.name : reader.function.parameters[next].name;
    DraftArgument argument = sketch_argument(sketch, reader, parameter, name);
    if (parameter.local) argument.bytes = guess_local_bytes(kernel.folded, *sketch.launch, parameter);
    sketch.arguments.push_back(std::move(argument));
    next += space ? 0 : 1;
  }
}

void sketch_terms(std::vector<DraftArgument>& arguments) {
  std::set<std::string> read;
  for (const DraftArgument& argument : arguments) {
    if (!argument.parameter.pointer || argument.parameter.local) continue;
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
  HONE_TRY(const Language language, draft_language(path, std::nullopt));
  if (language != Language::cpp)
    return Error{ErrorCode::contract,
                 fmt::format("the reference '{}' is no C++ file", path.string()),
                 {},
                 "it runs on the host and says in double what is right",
                 "write it in C++: docs/task.md, [oracle]"};
  HONE_CHECK(read_text(path, reference));
  HONE_CHECK(read_function(reference, "", &kernel.function.name));
  HONE_CHECK(check_reference(without_space(kernel.function), reference.path, reference.function));
  HONE_TRY(sketch.reference_file, beside(kernel.path, path));
  sketch.reference_entry = reference.function.name;
  return ok();
}

}  // namespace

bool is_tensor_map(const CppParameter& parameter) { return !parameter.pointer && parameter.type == "CUtensorMap"; }
bool is_size(const CppParameter& parameter) {
  return !parameter.pointer && parameter.dtype && !is_floating(*parameter.dtype);
}
bool is_free_scalar(const CppParameter& parameter) {
  return !parameter.pointer && !is_size(parameter) && !is_tensor_map(parameter);
}

CppFunction without_space(const CppFunction& kernel) {
  CppFunction out = kernel;
  std::erase_if(out.parameters, [](const CppParameter& p) { return p.local || is_tensor_map(p); });
  return out;
}

Result<Draft> draft_task(const DraftRequest& request) {
  Source kernel, reference;
  Sketch sketch;
  HONE_CHECK(read_kernel_source(request, kernel, sketch));
  HONE_CHECK(check_kernel(kernel, sketch.language));
  HONE_CHECK(check_kernel_names(kernel.function, kernel.path));
  sketch.kernel_file = request.kernel.filename().string();
  sketch.kernel = kernel.function;
  sketch.dimensions = request.dimensions;
  HONE_CHECK(check_dimensions(sketch));
  if (request.reference) HONE_CHECK(add_reference(kernel, *request.reference, reference, sketch));
  if (request.reference) {
    sketch_arguments({reference.function, loop_bounds(reference.function.body)}, kernel, sketch);
  } else if (sketch.launch) {
    sketch_arguments({kernel.folded.function, sketch.launch->bounds}, kernel, sketch);
  } else {
    sketch_arguments({kernel.function, loop_bounds(kernel.function.body)}, kernel, sketch);
  }
  sketch_terms(sketch.arguments);
  return finished(sketch, request.kernel.parent_path());
}

}  // namespace hone::task
