#include "task/read.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/disk.h"
#include "base/text.h"
#include "task/named_file.h"
#include "task/read_digest.h"
#include "task/read_parts.h"
#include "task/toml.h"

namespace hone::task {

namespace {

constexpr uint64_t k_task_file_limit_bytes = 1 << 20;
constexpr std::string_view k_schema = "task/1";
constexpr std::string_view k_file_name = "task.toml";

void read_identity(Reading& reading) {
  Section& root = reading.root;
  std::string schema;
  if (root.get("schema", schema, Presence::required) && schema != k_schema)
    root.error("schema", fmt::format("is '{}', this hone reads '{}'", quote_untrusted(schema, 64), k_schema),
               "another schema may mean something else by the same keys",
               "schema = \"task/1\", and docs/task.md for the keys");
  Names none;
  if (root.get("name", reading.task.name, Presence::required)) is_new(none, reading.task.name, root, "name");
  root.get("summary", reading.task.summary);
  root.get("licence", reading.task.licence);
}

void read_parts(const TomlNode& document, Reading& reading) {
  if (!check_counts(document, reading.report)) return;
  read_identity(reading);
  read_axes(reading);
  read_tune(reading);
  read_arguments(reading);
  read_kernel(reading);
  check_roles(reading);
  read_launches(reading);
  check_names(reading);
  read_oracle(reading);
  read_baselines(reading);
  read_work(reading);
  read_limits(reading);
  read_cases(reading);
  reading.root.finish();
  if (reading.report.clean()) check_whole(reading);
}

ReadTask only(Error error) {
  ReadTask out;
  out.diagnostics.errors.push_back(std::move(error));
  return out;
}

ReadTask read_document(const TomlNode& document, std::string_view text, const fs::path& file) {
  Report report(file.string(), text);
  Section root(document, "task.toml", report);
  Task task;
  task.folder = file.parent_path().empty() ? fs::path(".") : file.parent_path();
  Reading reading{.task = task, .report = report, .root = root};
  read_parts(document, reading);
  if (report.clean()) set_digest(document, task, report);
  const bool clean = report.clean();
  ReadTask out;
  out.diagnostics = report.take();
  task.warnings = out.diagnostics.warnings;
  if (clean) out.task = std::move(task);
  return out;
}

struct Support {
  bool given;
  std::string_view what;
};

}  // namespace

ReadTask read_task(const fs::path& path) {
  std::error_code ignored;
  const fs::path file = fs::is_directory(path, ignored) && path.filename() != k_file_name ? path / k_file_name : path;
  const auto text = read_named_file(file, k_task_file_limit_bytes, ErrorCode::contract,
                                    "a task is a folder with a task.toml; `hone init KERNEL` drafts one");
  if (!text) return only(text.error());
  return read_task_text(*text, file);
}

ReadTask read_task_text(std::string_view text, const fs::path& file) {
  const auto document = parse_toml(text, file.string());
  if (!document) return only(document.error());
  return read_document(*document, text, file);
}

Result<Task> require_task(const fs::path& path) { return complete(read_task(path), path); }

Result<Task> complete(ReadTask read, const fs::path& path) {
  if (read.task) return *std::move(read.task);
  Diagnostics& found = read.diagnostics;
  Error error{found.errors.empty() ? ErrorCode::contract : found.errors.front().code,
              fmt::format("{} is not a complete task: {}, {}", path.string(), counted(found.errors.size(), "error"),
                          counted(found.open_questions.size(), "open question"))};
  for (auto* list : {&found.errors, &found.open_questions}) {
    for (Error& cause : *list) error.causes.push_back(std::move(cause));
  }
  return error;
}

Status supported_here(const Task& task) {
  const OracleKind oracle = task.oracle.kind;
  static constexpr Language k_launched[] = {Language::cuda, Language::hip, Language::opencl};
  const bool launches = std::ranges::find(k_launched, task.kernel.language) != std::end(k_launched);
  const Support table[] = {
      {task.kernel.language == Language::cpp || launches, name_of(task.kernel.language)},
      {task.kernel.call == (launches ? Call::launch : Call::host_function), name_of(task.kernel.call)},
      {oracle != OracleKind::python && oracle != OracleKind::properties, name_of(oracle)},
      {task.delivery == Delivery::macro, "argument-delivered tunables"},
      {task.kernel.language != Language::hip || !task.has_role(Role::symbol), "HIP symbol"},
  };
  static constexpr std::string_view kinds[] = {"language", "call", "oracle", "tune.delivery", "roles of arguments"};
  for (size_t i = 0; i < std::size(table); ++i) {
    if (table[i].given) continue;
    return Error{ErrorCode::environment,
                 fmt::format("this hone has no {} backend yet ({} of task '{}')", table[i].what, kinds[i], task.name),
                 {},
                 "the contract is sound, but nothing here can run it",
                 "C++ host functions with an oracle in C++ work everywhere"};
  }
  return ok();
}

}  // namespace hone::task
