// The private root of a confined process, planned by the parent (which may allocate) and built by the child (which may
// not). The system, or the part of it that is asked for, is bound read-only at its usual places, /tmp is a private
// tmpfs for those that have use of one (and so is /dev/shm), /dev holds null, zero and urandom, and every path that the
// caller lends stands where it stands outside, so that a machine without mount namespaces needs no other paths.
// Failure: plan_root: io, when a lent path is absent; build_root: errno. A plan belongs to one spawn.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace hone::sandbox {

enum class Access { read_only, read_write };

// A file or folder outside, lent to the confined process at the same path.
struct Mount {
  std::filesystem::path path;
  Access access = Access::read_only;
};

// A folder of the confined process's own: empty, in memory, gone with it.
struct PrivateFolder {
  std::string path;
  uint64_t size_bytes = 0;  // at most
};

// What of the system a confined process sees: all of it, or what a C++ program that calls no library needs to run, the
// loader, the runtimes of C and C++, and OpenMP.
enum class System { whole, runtime };

struct RootEntry {
  enum class Kind { folder, file, link, tmpfs };
  Kind kind = Kind::folder;
  std::string outside;  // as seen from the new root while the old one is still attached; of a link its target
  std::string inside;
  std::string options;  // of a tmpfs
  Access access = Access::read_only;
  std::vector<std::string> parents;  // folders to make first, outermost first
};

struct RootPlan {
  std::vector<RootEntry> entries;
};

Result<RootPlan> plan_root(const std::vector<Mount>& lent, System system, const std::vector<PrivateFolder>& own);

// In the child, inside its own mount namespace. /proc is mounted between build and seal: the kernel
// allows that only while the old root's /proc is still visible. All return 0 or errno and do not allocate.
int build_root(const RootPlan& plan);
int mount_proc();
int seal_root();

}  // namespace hone::sandbox
