#include "record/git_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace hone::record {

namespace {

constexpr size_t k_output_cap_bytes = 256
                                      << 20;  // a candidate's files or the diff between two; far beyond any kernel's
constexpr size_t k_shown_error_bytes = 2000;

// On the command line, so that they win over whatever stands in store.git/config.
constexpr std::string_view k_settings[] = {
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.fsync=all",
    "core.fsyncMethod=fsync",
    "core.logAllRefUpdates=false",
    "core.autocrlf=false",
    "core.quotePath=true",
    "commit.gpgSign=false",
    "i18n.commitEncoding=UTF-8",
    "gc.auto=0",
    "maintenance.auto=false",
};

Environment hermetic_environment(const fs::path& git_dir) {
  return {{"GIT_DIR", git_dir.string()}, {"HOME", "/nonexistent"},           {"GIT_CONFIG_NOSYSTEM", "1"},
          {"GIT_ATTR_NOSYSTEM", "1"},    {"GIT_CONFIG_GLOBAL", "/dev/null"}, {"GIT_TERMINAL_PROMPT", "0"},
          {"GIT_OPTIONAL_LOCKS", "0"},   {"GIT_NO_REPLACE_OBJECTS", "1"},    {"TZ", "UTC"}};
}

std::string with_nul(std::string text) { return text + '\0'; }

}  // namespace

Result<std::string> GitCommand::run(std::vector<std::string> arguments, std::string input,
                                    const Environment& environment, Warnings warnings) const {
  Command command{.argv = {"git"}, .input = std::move(input), .output_cap_bytes = k_output_cap_bytes};
  for (const std::string_view setting : k_settings) {
    command.argv.emplace_back("-c");
    command.argv.emplace_back(setting);
  }
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.environment = hermetic_environment(git_dir_);
  command.environment.insert(environment.begin(), environment.end());
  HONE_TRY(Finished done, processes_->run(command));
  if (done.succeeded() && (warnings == Warnings::allowed || done.errors.empty())) return std::move(done.output);
  Error error{ErrorCode::io, fmt::format("'git {}' ended with status {}", arguments.front(), done.exit_status)};
  if (!done.errors.empty())
    error.causes.push_back({ErrorCode::io, quote_untrusted(trim(done.errors), k_shown_error_bytes)});
  if (done.errors.find("No space left on device") != std::string::npos)
    error.help = "free space where the campaign is; nothing is lost, the same command goes on";
  return error;
}

bool GitCommand::is_running_somewhere() const {
  const std::string mark = '\0' + with_nul("GIT_DIR=" + git_dir_.string());
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    if (!std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; })) continue;
    const auto environment =
        read_file(entry.path() / "environ");  // fails for other users and for those that just ended
    if (environment && (with_nul("") + *environment).find(mark) != std::string::npos) return true;
  }
  return false;
}

}  // namespace hone::record
