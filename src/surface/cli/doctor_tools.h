// What of a GPU's tools is on this machine: compilers, profilers, sanitizers, with version and path. Programs are
// looked for on PATH and where their vendors put them, and asked for their version. Absent version: it did not say.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/process.h"
#include "device/accelerators.h"

namespace hone::cli {

struct ToolRecord {
  std::string name;    // "nvcc"
  std::string role;    // "compiler", "profiler", "sanitizer"
  std::string vendor;  // of the devices it serves
  std::optional<std::string> version;
  std::optional<std::string> path;  // absent: not here
  std::optional<std::string> help;  // what to type, of one that is not here
};

// One row a tool, in the order of the table; run-time compilers come from `found`.
std::vector<ToolRecord> examine_tools(Processes& processes, const device::Accelerators& found,
                                      const device::AcceleratorRequest& request);

template <class A>
void describe(A& a, ToolRecord& v) {
  a.field("name", v.name);
  a.field("role", v.role);
  a.field("vendor", v.vendor);
  a.field("version", v.version);
  a.field("path", v.path);
  a.field("do", v.help);
}

}  // namespace hone::cli
