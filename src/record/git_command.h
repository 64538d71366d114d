// git, called so that nothing outside its arguments has a say: no system or user configuration, hooks, filters,
// signing, editor, prompt or replace objects; everything it writes is synced. Plumbing for store.git alone; never the
// user's repository. Every call carries GIT_DIR in its environment, which is also the mark by which calls that outlived
// a killed hone are found. Failure: environment when git is missing; io with git's own words when it fails or is
// killed.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/disk.h"
#include "base/process.h"

namespace hone::record {

using Environment = std::map<std::string, std::string>;

// Whether a call that succeeds may still print to standard error; where git warns of damage and goes on, it may not.
enum class Warnings { allowed, refused };

class GitCommand {
 public:
  GitCommand(Processes& processes, const fs::path& git_dir)
      : processes_(&processes), git_dir_(fs::absolute(git_dir).lexically_normal()) {}

  // Standard output of `git ARGUMENTS`.
  Result<std::string> run(std::vector<std::string> arguments, std::string input = "",
                          const Environment& environment = {}, Warnings warnings = Warnings::allowed) const;

  const fs::path& git_dir() const { return git_dir_; }
  // Whether some process (of this user) still runs with this GIT_DIR.
  bool is_running_somewhere() const;

 private:
  Processes* processes_;
  fs::path git_dir_;
};

}  // namespace hone::record
