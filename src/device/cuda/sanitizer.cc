#include "device/cuda/sanitizer.h"

#include <algorithm>

#include "base/enums.h"
#include "device/cuda/sanitizer_report.h"
#include "device/launcher/duties.h"

namespace hone::device::cuda {

namespace {

namespace fs = std::filesystem;

struct OptionRow {
  const char* name;
  const char* value;
  std::optional<SanitizerTool> only = std::nullopt;
};

// A place is seen once for each of its threads: so many are read, all are counted by the tool. Frames of the host are
// hone's own and cost time; what hone asks of the driver is no finding. The launcher starts no other process, and how
// long it may take is hone's to say. Buffers lie side by side: without padding a step too far ends in the next one.
constexpr OptionRow k_options[] = {
    {"--print-limit", "256"},
    {"--show-backtrace", "device"},
    {"--target-processes", "application-only"},
    {"--launch-timeout", "0"},
    {"--padding", "1048576", SanitizerTool::memcheck},
    {"--report-api-errors", "no", SanitizerTool::memcheck},
    {"--racecheck-report", "analysis", SanitizerTool::racecheck},
};

}  // namespace

std::optional<fs::path> find_sanitizer(const Variables& variables, const fs::path& root) {
  return find_toolkit_program(k_sanitizer, variables, root);
}

std::vector<std::string> sanitizer_command(const fs::path& program, SanitizerTool tool) {
  std::vector<std::string> command{program.string(), "--tool", std::string(name_of(tool))};
  for (const OptionRow& row : k_options) {
    if (row.only && *row.only != tool) continue;
    command.emplace_back(row.name);
    command.emplace_back(row.value);
  }
  return command;
}

// The one in bin is a link or a script that starts the one in compute-sanitizer, two folders up.
std::vector<sandbox::Mount> sanitizer_mounts(const fs::path& program) {
  std::vector<sandbox::Mount> mounts;
  std::error_code unread;
  for (const fs::path& path : {program, fs::canonical(program, unread)}) {
    const fs::path folder =
        path.parent_path().filename() == "bin" ? path.parent_path().parent_path() : path.parent_path();
    const bool is_in_the_system = path.string().starts_with("/usr/") || path.string().starts_with("/bin/");
    if (!path.empty() && !is_in_the_system) mounts.push_back({folder, sandbox::Access::read_only});
  }
  return mounts;
}

bool counts_against(const SanitizerFinding& finding, std::span<const std::string> kernels) {
  const bool other_memory = finding.tool == SanitizerTool::initcheck && finding.space != "global";
  if (other_memory) return false;
  const std::string kernel(plain_name(finding.kernel));
  return !launcher::is_duty(kernel) || std::ranges::find(kernels, kernel) != kernels.end();
}

}  // namespace hone::device::cuda
