#include "surface/cli/init.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/text.h"
#include "surface/cli/workplace.h"
#include "task/draft.h"

namespace hone::cli {

namespace {

constexpr ArgumentRow k_arguments[] = {
    {"FILE", true, false, "the kernel: a file of C++, CUDA (.cu), HIP (.hip) or OpenCL (.cl)"}};
constexpr OptionRow k_options[] = {
    k_reference_option,
    k_dims_option,
    {"--entry", "NAME", "the only function", "which function, when the file has several", "there is nothing to choose"},
    {"--implementation", "NAME", "auto", "what the kernel is written in: auto, cpp, cuda-cpp, hip or opencl",
     "the file's name says it"},
    {"--force", "", "", "replace a task.toml that is there"},
};

Error bad_dimension(const std::string& word) {
  return {ErrorCode::usage,
          fmt::format("--dims takes NAME=SIZE,NAME=NUMBER, not '{}'", word),
          {},
          "each name is one of the kernel's sizes or scalars",
          "for example --dims M=512,N=2048,alpha=0.5"};
}

template <class T>
std::optional<T> whole_text_as(std::string_view text) {
  T value{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && rest == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// "512" or "0.5". Digits alone that do not fit into 64 bits are a mistake, not a double.
std::optional<task::BoundValue> dimension_of(std::string_view text) {
  if (const auto whole = whole_text_as<int64_t>(text)) return *whole;
  const auto number = whole_text_as<double>(text);
  const bool decimal = text.find_first_of(".eE") != std::string_view::npos;
  return number && decimal && std::isfinite(*number) ? std::optional<task::BoundValue>(*number) : std::nullopt;
}

Result<std::map<std::string, task::BoundValue>> dimensions_of(const std::string& list) {
  std::map<std::string, task::BoundValue> dimensions;
  if (list.empty()) return dimensions;
  for (const std::string& word : split(list, ',')) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) return bad_dimension(word);
    const auto value = dimension_of(std::string_view(word).substr(equals + 1));
    if (!value) return bad_dimension(word);
    if (!dimensions.emplace(word.substr(0, equals), *value).second)
      return Error{ErrorCode::usage,
                   fmt::format("--dims names '{}' twice", word.substr(0, equals)),
                   {},
                   "nobody could tell which of the two counts",
                   "keep one of them"};
  }
  return dimensions;
}

struct Implementation {
  std::string_view name;
  std::optional<task::Language> language;  // absent: what the file's name says
  bool served;
};

// The names that published kernel loops use; of those that are not served hone has no reader.
constexpr Implementation k_implementations[] = {
    {"auto", std::nullopt, true},
    {"cpp", task::Language::cpp, true},
    {"cuda-cpp", task::Language::cuda, true},
    {"hip", task::Language::hip, true},
    {"opencl", task::Language::opencl, true},
    {"cutlass", std::nullopt, false},
    {"cute-dsl", std::nullopt, false},
    {"triton", std::nullopt, false},
};

Result<std::optional<task::Language>> implementation_of(const std::string& name) {
  std::vector<std::string> known;
  for (const Implementation& one : k_implementations) {
    if (one.name == name && one.served) return one.language;
    if (one.name == name)
      return Error{ErrorCode::environment,
                   fmt::format("this hone drafts no task for '{}' yet", name),
                   {},
                   "it does not read how such a kernel is called",
                   "write task.toml by hand: docs/task.md shows every key"};
    if (one.served) known.emplace_back(one.name);
  }
  return Error{ErrorCode::usage,
               fmt::format("--implementation has no '{}'{}", name, did_you_mean(name, known)),
               {},
               "it says what the kernel is written in",
               "one of: " + join(known, ", ")};
}

Result<task::DraftRequest> request_of(const Arguments& arguments) {
  HONE_TRY(const auto language, implementation_of(arguments.text_or("implementation", "auto")));
  HONE_TRY(task::DraftRequest request, draft_request(arguments, *arguments.text("FILE")));
  request.language = language;
  request.entry = arguments.text_or("entry", "");
  return request;
}

std::string to_text(const InitDocument& document) {
  std::string text = fmt::format("wrote {}\n", document.file);
  if (!document.open_questions.empty()) text += "\nstill open, marked \"?\" there:\n";
  for (const std::string& question : document.open_questions) text += "  " + question + "\n";
  return text +
         fmt::format("\nnext: {}{}\n", document.open_questions.empty() ? "" : "answer them, then ", document.next);
}

Result<int> init(Context& context) {
  HONE_TRY(const task::DraftRequest request, request_of(context.arguments));
  HONE_TRY(const task::Draft draft, task::draft_task(request));  // first: a file of another kind replaces nothing
  const fs::path folder = request.kernel.has_parent_path() ? request.kernel.parent_path() : fs::path(".");
  const fs::path file = folder / "task.toml";
  if (path_exists(file) && !context.arguments.has("force"))
    return Error{ErrorCode::usage,
                 "there is a task.toml beside the kernel already",
                 {file.string()},
                 "a contract is not replaced unasked",
                 "edit it, or replace it with --force"};
  HONE_CHECK(write_file(*context.disk, file, draft.toml, Durable::yes));
  InitDocument document;
  document.file = file.lexically_normal().string();
  document.open_questions = draft.open_questions;
  document.next = fmt::format("hone check {}", folder.lexically_normal().string());
  context.json() ? print_json(json::to_text(document)) : print(to_text(document));
  return 0;
}

}  // namespace

Result<task::DraftRequest> draft_request(const Arguments& arguments, const fs::path& kernel) {
  task::DraftRequest request;
  request.kernel = kernel;
  if (const auto reference = arguments.text("reference")) request.reference = *reference;
  HONE_TRY(request.dimensions, dimensions_of(arguments.text_or("dims", "")));
  return request;
}

Result<task::Draft> write_draft(const Context& context, const task::DraftRequest& request) {
  HONE_TRY(task::Draft draft, task::draft_task(request));
  HONE_CHECK(write_file(*context.disk, task_folder(request.kernel.string()) / "task.toml", draft.toml, Durable::yes));
  return draft;
}

Command init_command() {
  return {"init",
          "Drafts task.toml from a bare kernel file, every unknown marked \"?\"",
          "With a reference and dimensions nothing is left open when the signature, plain loops and indices tell the "
          "rest.\n"
          "Guesses carry a comment that says so. Nothing is compiled or run.",
          k_arguments,
          k_options,
          init};
}

}  // namespace hone::cli
