#include "surface/cli/hidden.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "judge/hidden.h"
#include "sandbox/spawn.h"
#include "task/hidden.h"

namespace hone::cli {

namespace {

// Where a path leads, links followed as far as it exists.
fs::path real_path(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return error ? fs::absolute(path).lexically_normal() : real;
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  const fs::path inside = real_path(file).lexically_relative(real_path(folder / "."));
  return !inside.empty() && *inside.begin() != "..";
}

// What every confined process sees, to compile and to run (sandbox/root_plan.cc).
constexpr const char* k_system_folders[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc"};

Status require_outside(const fs::path& file, std::vector<fs::path> folders) {
  folders.insert(folders.end(), std::begin(k_system_folders), std::end(k_system_folders));
  for (const fs::path& folder : folders) {
    if (!lies_in(file, folder)) continue;
    return Error{ErrorCode::usage,
                 fmt::format("the file of hidden cases stands inside {}", folder.string()),
                 {file.string(), 0, 0},
                 "whoever is judged can read it there",
                 "move it out of the task's folder, the candidates', the campaign's and the system's"};
  }
  return ok();
}

}  // namespace

Result<std::optional<std::string>> hidden_file(const Context& context, const task::Task& task,
                                               const std::vector<fs::path>& workspaces) {
  const auto typed = context.arguments.text("hidden");
  if (!typed) return std::optional<std::string>();
  HONE_CHECK(task::check_commitment(task, *typed));
  HONE_CHECK(require_outside(*typed, workspaces));
  // A tape runs nobody.
  if (!context.arguments.has("tape")) HONE_CHECK(judge::require_hiding(sandbox::available_layers()));
  return std::optional(real_path(*typed).string());
}

Result<std::string> commitment_text(const task::Task& task, const std::string& file) {
  HONE_CHECK(require_outside(file, {task.folder}));
  HONE_TRY(task::ReadHidden read, task::read_hidden(task, file));
  const auto& found = read.diagnostics;
  if (read.cases.empty()) {
    Error error{ErrorCode::contract, fmt::format("{} holds no usable hidden cases", file)};
    for (const auto* list : {&found.errors, &found.open_questions})
      error.causes.insert(error.causes.end(), list->begin(), list->end());
    return error;
  }
  return fmt::format("{} in {}; task.toml commits to them by\n\n[hidden]\nsha256 = \"{}\"\n",
                     counted(read.cases.size(), "hidden case"), file, read.digest.hex());
}

}  // namespace hone::cli
