#include "surface/cli/doctor_tools.h"

#include <algorithm>

#include "base/text.h"

namespace hone::cli {

namespace {

namespace fs = std::filesystem;

struct ToolRow {
  const char* name;
  const char* role;
  const char* vendor;
  const char* marker;  // in what it answers to --version: its version comes next
  const char* help;
};

constexpr ToolRow k_programs[] = {
    {"nvcc", "compiler", "nvidia", ", V", "install the CUDA toolkit, or set CUDA_HOME to where it is"},
    {"hipcc", "compiler", "amd", "HIP version: ", "install ROCm, or on Debian: apt-get install hipcc"},
    {"ncu", "profiler", "nvidia", "Version ", "install Nsight Compute (it comes with the CUDA toolkit)"},
    {"nsys", "profiler", "nvidia", "version ", "install Nsight Systems (it comes with the CUDA toolkit)"},
    {"rocprofv3", "profiler", "amd", "version: ", "install ROCm (package rocprofiler-sdk)"},
    {"rocprof-compute", "profiler", "amd", "version: ", "install ROCm (package rocprofiler-compute)"},
    {"compute-sanitizer", "sanitizer", "nvidia", "Version ", "install the CUDA toolkit (package cuda-sanitizer)"},
};

// Libraries: what list_accelerators found or not.
struct CompilerRow {
  const char* name;
  const char* vendor;
};

constexpr CompilerRow k_libraries[] = {{"NVRTC", "nvidia"}, {"hiprtc", "amd"}};

std::optional<fs::path> find_tool(const std::string& name, const device::AcceleratorRequest& request) {
  if (auto path = device::cuda::find_toolkit_program(name, request.variables, request.root)) return path;
  return find_program((request.root / "opt/rocm/bin" / name).string());
}

// "13.0.88" of "Cuda compilation tools, release 13.0, V13.0.88".
std::optional<std::string> version_after(std::string_view marker, std::string_view text) {
  const size_t found = text.find(marker);
  if (found == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(found + marker.size());
  const size_t end = std::min(rest.find_first_not_of("0123456789."), rest.size());
  return end == 0 ? std::nullopt : std::optional(std::string(rest.substr(0, end)));
}

std::optional<std::string> version_of(Processes& processes, const fs::path& program, std::string_view marker) {
  const auto done = processes.run({.argv = {program.string(), "--version"}, .deadline = std::chrono::seconds(20)});
  return done && done->succeeded() ? version_after(marker, done->output + done->errors) : std::nullopt;
}

ToolRecord examine_program(Processes& processes, const ToolRow& row, const device::AcceleratorRequest& request) {
  ToolRecord record{row.name, row.role, row.vendor, {}, {}, {}};
  const auto path = find_tool(row.name, request);
  if (!path) {
    record.help = row.help;
    return record;
  }
  record.path = path->string();
  record.version = version_of(processes, *path, row.marker);
  return record;
}

ToolRecord library_record(const CompilerRow& row, const device::Accelerators& found) {
  ToolRecord record{row.name, "compiler", row.vendor, {}, {}, {}};
  for (const device::RuntimeCompiler& compiler : found.compilers) {
    if (compiler.name != row.name) continue;
    record.version = compiler.version;
    record.path = compiler.path;
  }
  for (const device::Absence& absence : found.absent) {
    if (absence.what == row.name) record.help = absence.help;
  }
  return record;
}

}  // namespace

std::vector<ToolRecord> examine_tools(Processes& processes, const device::Accelerators& found,
                                      const device::AcceleratorRequest& request) {
  std::vector<ToolRecord> records;
  for (const CompilerRow& row : k_libraries) records.push_back(library_record(row, found));
  for (const ToolRow& row : k_programs) records.push_back(examine_program(processes, row, request));
  return records;
}

}  // namespace hone::cli
