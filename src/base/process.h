// Child processes that hone trusts (git, a pager): argv arrays only, never a shell. Confined children live in sandbox/.
// Processes is the seam: tests replace it and look at what was asked. Output is captured whole up to a cap.
// Failure: environment when the program is missing, io when it cannot be started; a program's own failure is a
// Finished.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"

namespace hone {

struct Command {
  std::vector<std::string> argv;
  std::filesystem::path folder = {};                    // working directory; empty = ours
  std::map<std::string, std::string> environment = {};  // set on top of a minimal one (PATH, HOME, LANG=C.UTF-8)
  std::string input = {};                               // standard input, ≤ 1 MiB
  Nanoseconds deadline = std::chrono::seconds(60);
  size_t output_cap_bytes = 16 << 20;  // per stream; more is a failure
};

struct Finished {
  int exit_status = 0;  // of a normal exit; 128 + signal when killed
  bool timed_out = false;
  std::string output = {};
  std::string errors = {};

  bool succeeded() const { return exit_status == 0 && !timed_out; }
};

class Processes {
 public:
  virtual ~Processes() = default;
  virtual Result<Finished> run(const Command& command);
};

// Absolute path of a program on PATH (or of a path that holds a slash), if it is there and executable.
std::optional<std::filesystem::path> find_program(const std::string& name);

// Reads both descriptors to their ends; used by everything that captures a child's output. Each string stops growing at
// the cap.
struct Captured {
  std::string output;
  std::string errors;
  bool over_cap = false;
  bool timed_out = false;
};
Captured capture(const Fd& output, const Fd& errors, size_t cap_bytes, Nanoseconds deadline);

// A pidfd for one of our children; signals sent through it never reach a recycled pid.
Fd open_pidfd(pid_t pid);
void signal_pidfd(const Fd& pidfd, int signal);
// Exit status (128 + signal when killed) once the child has ended, or nothing at the deadline. Reaps the child.
std::optional<int> wait_pidfd(const Fd& pidfd, Nanoseconds timeout);

}  // namespace hone
