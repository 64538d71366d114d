// The user's own C++ compiler: $HONE_CXX, else $CXX, else g++, else clang++.
// Plain value. Failure: environment, saying what to type. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/process.h"
#include "base/result.h"
#include "sandbox/run_confined.h"
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
struct CompilerRun {
  std::vector<std::string> arguments;
  std::filesystem::path folder;
  std::vector<sandbox::Mount> lent;
  Nanoseconds deadline;
};
// A compiler is several programs. Where it says that it could not start one for want of processes, a text of nothing
// shows whether that is so: then it is this machine's fault (environment); else the run is tried once more, since
// others may have been in the way for a moment, and that answer counts. All of it within the deadline.
Result<sandbox::ConfinedOutcome> run_compiler(const Compiler& compiler, const CompilerRun& run);

}  // namespace hone::device::cpu
