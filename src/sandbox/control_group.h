// A control group (cgroup v2) around one confined process and all that it starts: limited as one where the machine
// hands memory and pids on, killed as one, removed afterwards. Version 1 is not used: it cannot kill a group, and a
// process enters it only after its start. Groups are named after the process that made them, so that what a killed one
// left behind is found: hone-PIDNAMESPACE-PID-START-RANDOM.
//
// Ownership: the folder; the destructor kills and removes it. Failure: io. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "sandbox/profile.h"

namespace hone::sandbox {

// Where groups can be made.
struct GroupHome {
  std::filesystem::path folder;
  bool limits = false;  // memory and pids are handed on
};

// The folder of this process's own group, from /proc/self/mountinfo and /proc/self/cgroup.
std::optional<std::filesystem::path> own_group(std::string_view mountinfo, std::string_view cgroup);
// Looked for in this process's own group and in the one above, once per process; what dead processes left there is
// killed and removed.
const std::optional<GroupHome>& group_home();
void sweep_groups(const std::filesystem::path& home);

class ControlGroup {
 public:
  static Result<ControlGroup> make(const GroupHome& home, const Limits& limits);
  ControlGroup(ControlGroup&&) noexcept = default;
  ControlGroup& operator=(ControlGroup&&) = delete;
  ~ControlGroup();

  const Fd& folder() const { return folder_; }  // for CLONE_INTO_CGROUP
  void kill();                                  // every process in it

 private:
  ControlGroup(std::filesystem::path path, Fd folder) : path_(std::move(path)), folder_(std::move(folder)) {}

  std::filesystem::path path_;
  Fd folder_;  // absent after a move
};

}  // namespace hone::sandbox
