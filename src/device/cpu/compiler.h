// The user's own C++ compiler: $HONE_CXX, else $CXX, else g++, else clang++.
// Plain value. Failure: environment, saying what to type. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/process.h"
#include "base/result.h"
#include "sandbox/spawn.h"
#include "task/compile_options.h"

namespace hone::device::cpu {

struct Compiler {
  std::filesystem::path path;
  task::Compiler kind = task::Compiler::gcc;
  std::string version;       // "g++ 12.2.0"
  std::string version_line;  // the first line of --version: tells builds of one version apart
  std::string linker_flag;   // of the quickest linker here; empty = the compiler's own
  std::vector<int> cores;  // where builds may run: what this process was allowed before the judge pinned itself to one
};

Result<Compiler> find_compiler(Processes& processes);
// From what `--version` printed.
Compiler describe_compiler(const std::filesystem::path& path, std::string_view version_text);

// A confined run of the compiler in `folder`, seeing only what is lent. Compilers outside the system folders come with
// their own.
sandbox::Confinement confined_compiler(const Compiler& compiler, std::vector<std::string> arguments,
                                       const std::filesystem::path& folder, std::vector<sandbox::Mount> lent);

}  // namespace hone::device::cpu
