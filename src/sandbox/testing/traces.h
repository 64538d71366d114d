// Test support: what a confined process might leave on the machine, looked at before and after.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <string>

#include "base/disk.h"
#include "sandbox/control_group.h"

namespace hone::sandbox {

class Traces {
 public:
  Traces() : mounts_(mounts()) {}

  void expect_none() const {
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
    EXPECT_EQ(mounts(), mounts_) << "a mount is left";
    EXPECT_EQ(groups_of(getpid()), std::set<std::string>()) << "a control group is left";
  }

  // The control groups that a process has made.
  static std::set<std::string> groups_of(pid_t owner) {
    std::set<std::string> names;
    if (!group_home()) return names;
    for (const auto& entry : fs::directory_iterator(group_home()->folder)) {
      const std::string name = entry.path().filename().string();
      if (name.find(fmt::format("-{}-", owner)) != std::string::npos) names.insert(name);
    }
    return names;
  }

 private:
  static std::string mounts() { return read_file("/proc/self/mountinfo").value_or(""); }

  std::string mounts_;
};

}  // namespace hone::sandbox
