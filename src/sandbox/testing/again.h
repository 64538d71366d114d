// Test support: this very test program once more, as an ordinary user or on a machine with less to offer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/disk.h"
#include "base/process.h"

namespace hone::sandbox {

// Not nobody: what root confines runs as nobody, and processes are counted by user.
inline const std::vector<std::string> k_as_ordinary_user = {"setpriv", "--reuid", "65533",
                                                            "--regid", "65533",   "--clear-groups"};
// As in a container that refuses every namespace.
inline const std::vector<std::string> k_without_namespaces = {
    "unshare",
    "-Ur",
    "sh",
    "-c",
    "for f in /proc/sys/user/max_*_namespaces; do echo 0 > $f || exit 77; done; exec \"$@\"",
    "sh"};

// Absent: this machine does not allow it. A build folder may lie where only root can look: the copy of this program
// stands where everybody may execute it.
inline std::optional<Finished> run_again(const std::vector<std::vector<std::string>>& prefixes,
                                         const std::string& filter) {
  const auto folder = TemporaryFolder::make("/tmp", "hone-again-");
  if (!folder) return std::nullopt;
  fs::permissions(folder->path(), fs::perms(0755));
  fs::copy_file("/proc/self/exe", folder->path() / "tests");
  std::vector<std::string> argv;
  for (const auto& prefix : prefixes) {
    if (!find_program(prefix.front())) return std::nullopt;
    argv.insert(argv.end(), prefix.begin(), prefix.end());
  }
  argv.insert(argv.end(), {(folder->path() / "tests").string(), "--gtest_filter=" + filter});
  const auto done = Processes().run({.argv = argv, .folder = "/", .deadline = std::chrono::seconds(300)});
  if (!done || done->exit_status == 77 || done->output.empty()) return std::nullopt;
  return *done;
}

}  // namespace hone::sandbox
