#include "sandbox/root_plan.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <system_error>

#include "base/disk.h"
#include "sandbox/child_calls.h"

namespace hone::sandbox {

namespace {

// What programs need of the system: code, loader, and the links that select a compiler. Absent ones are left out.
constexpr const char* k_system_paths[] = {"/usr",
                                          "/bin",
                                          "/sbin",
                                          "/lib",
                                          "/lib32",
                                          "/lib64",
                                          "/libx32",
                                          "/etc/ld.so.cache",
                                          "/etc/ld.so.conf",
                                          "/etc/ld.so.conf.d",
                                          "/etc/alternatives"};
// Links at the top that lead to libraries, on systems that keep everything below /usr.
constexpr const char* k_library_links[] = {"/lib", "/lib64"};
constexpr const char* k_loader_cache = "/etc/ld.so.cache";
constexpr const char* k_library_folders[] = {
    "/lib64",     "/lib/x86_64-linux-gnu",     "/lib/aarch64-linux-gnu",     "/lib",
    "/usr/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib"};
constexpr const char* k_runtime_libraries[] = {
    "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libc.so.6",      "libm.so.6",
    "libmvec.so.1",         "libpthread.so.0",       "libdl.so.2",     "librt.so.1",
    "libgcc_s.so.1",        "libatomic.so.1",        "libstdc++.so.6", "libgomp.so.1",
    "libomp.so.5",          "libc++.so.1",           "libc++abi.so.1"};
constexpr const char* k_devices[] = {"/dev/null", "/dev/zero", "/dev/urandom"};

// The new root is mounted here; the old one hangs below it until everything is bound.
constexpr const char* k_base = "/tmp";
constexpr const char* k_old_below_base = "/tmp/.old";
constexpr const char* k_old = "/.old";

std::vector<std::string> parents_of(const fs::path& path) {
  std::vector<std::string> parents;
  fs::path walked = "/";
  for (const auto& part : path.parent_path().relative_path()) {
    walked /= part;
    parents.push_back(walked.string());
  }
  return parents;
}

RootEntry bound(const fs::path& path, RootEntry::Kind kind, Access access) {
  return {kind, k_old + path.string(), path.string(), {}, access, parents_of(path)};
}

std::optional<RootEntry> system_entry(const fs::path& path) {
  std::error_code error;
  const auto status = fs::symlink_status(path, error);
  if (fs::is_symlink(status)) {
    return RootEntry{RootEntry::Kind::link, fs::read_symlink(path, error).string(),
                     path.string(),         {},
                     Access::read_only,     parents_of(path)};
  }
  if (fs::is_directory(status)) return bound(path, RootEntry::Kind::folder, Access::read_only);
  if (fs::exists(status)) return bound(path, RootEntry::Kind::file, Access::read_only);
  return std::nullopt;
}

Result<RootEntry> lent_entry(const Mount& mount) {
  std::error_code error;
  const fs::path path = fs::canonical(mount.path, error);
  if (error) return io_error("lend to a confined process", mount.path, error.value());
  const auto kind = fs::is_directory(path) ? RootEntry::Kind::folder : RootEntry::Kind::file;
  RootEntry entry = bound(path, kind, mount.access);
  // Where a lent path leads through links, it stands at the name the caller uses.
  entry.inside = fs::absolute(mount.path).lexically_normal().string();
  entry.parents = parents_of(entry.inside);
  return entry;
}

bool leads_through_a_link(const fs::path& folder) {
  for (const char* link : k_library_links) {
    if (folder.string().starts_with(link) && fs::is_symlink(link)) return true;
  }
  return false;
}

std::vector<RootEntry> whole_system() {
  std::vector<RootEntry> entries;
  for (const char* path : k_system_paths) {
    if (auto entry = system_entry(path)) entries.push_back(std::move(*entry));
  }
  return entries;
}

std::vector<RootEntry> runtime_of_system() {
  std::vector<RootEntry> entries;
  for (const char* link : k_library_links) {
    if (fs::is_symlink(link)) entries.push_back(*system_entry(link));
  }
  for (const fs::path folder : k_library_folders) {
    if (leads_through_a_link(folder)) continue;
    for (const char* name : k_runtime_libraries) {
      if (auto entry = lent_entry({folder / name, Access::read_only})) entries.push_back(std::move(*entry));
    }
  }
  if (auto cache = system_entry(k_loader_cache)) entries.push_back(std::move(*cache));
  return entries;
}

int make_parents(const RootEntry& entry) {
  for (const std::string& parent : entry.parents) {
    if (mkdir(parent.c_str(), 0755) != 0 && errno != EEXIST) return errno;
  }
  return 0;
}

int make_place(const RootEntry& entry) {
  if (entry.kind != RootEntry::Kind::file) return mkdir(entry.inside.c_str(), 0755) == 0 || errno == EEXIST ? 0 : errno;
  const int fd = child::open(entry.inside.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
  if (fd < 0) return errno;
  child::close(fd);
  return 0;
}

int make_read_only(const char* path) {
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
  return mount_setattr(AT_FDCWD, path, AT_RECURSIVE, &attributes, sizeof attributes) == 0 ? 0 : errno;
}

int bind_entry(const RootEntry& entry) {
  if (const int failed = make_place(entry); failed != 0) return failed;
  if (entry.kind == RootEntry::Kind::tmpfs)
    return mount("tmpfs", entry.inside.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, entry.options.c_str()) == 0 ? 0 : errno;
  if (mount(entry.outside.c_str(), entry.inside.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0) return errno;
  return entry.access == Access::read_only ? make_read_only(entry.inside.c_str()) : 0;
}

int place(const RootEntry& entry) {
  if (const int failed = make_parents(entry); failed != 0) return failed;
  if (entry.kind == RootEntry::Kind::link) return symlink(entry.outside.c_str(), entry.inside.c_str()) == 0 ? 0 : errno;
  return bind_entry(entry);
}

// The child's own empty root, with the machine's root hanging below it.
int enter_empty_root() {
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return errno;
  if (mount("tmpfs", k_base, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m") != 0) return errno;
  if (mkdir(k_old_below_base, 0700) != 0) return errno;
  if (syscall(SYS_pivot_root, k_base, k_old_below_base) != 0) return errno;
  return chdir("/") == 0 ? 0 : errno;
}

}  // namespace

Result<RootPlan> plan_root(const std::vector<Mount>& lent, System system, const std::vector<PrivateFolder>& own) {
  RootPlan plan{system == System::whole ? whole_system() : runtime_of_system()};
  for (const PrivateFolder& folder : own)
    plan.entries.push_back({RootEntry::Kind::tmpfs,
                            {},
                            folder.path,
                            fmt::format("mode=1777,size={}", folder.size_bytes),
                            Access::read_write,
                            parents_of(folder.path)});
  for (const char* path : k_devices) plan.entries.push_back(bound(path, RootEntry::Kind::file, Access::read_write));
  for (const Mount& mount : lent) {
    HONE_TRY(RootEntry entry, lent_entry(mount));
    plan.entries.push_back(std::move(entry));
  }
  return plan;
}

int build_root(const RootPlan& plan) {
  if (const int failed = enter_empty_root(); failed != 0) return failed;
  for (const RootEntry& entry : plan.entries) {
    if (const int failed = place(entry); failed != 0) return failed;
  }
  return mkdir("/proc", 0555) == 0 || errno == EEXIST ? 0 : errno;
}

int mount_proc() { return mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0 ? 0 : errno; }

int seal_root() {
  if (umount2(k_old, MNT_DETACH) != 0) return errno;
  if (child::remove_folder(k_old) != 0) return errno;
  const unsigned long flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV;
  return mount(nullptr, "/", nullptr, flags, nullptr) == 0 ? 0 : errno;
}

}  // namespace hone::sandbox
