#include "base/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "base/crash.h"

namespace hone {

Error io_error(std::string_view doing, const fs::path& path, int error_number) {
  Error error{ErrorCode::io, fmt::format("cannot {} {}: {}", doing, path.string(), strerror(error_number))};
  if (error_number == ENOSPC) error.help = "free space on that file system, then run the same command again";
  if (error_number == EACCES || error_number == EPERM) error.help = "check the owner and the mode of that path";
  return error;
}

Result<Fd> Disk::open(const fs::path& path, int flags, unsigned mode) {
  Fd fd(::open(path.c_str(), flags | O_CLOEXEC, static_cast<mode_t>(mode)));
  if (!fd) return io_error("open", path, errno);
  return fd;
}

Result<size_t> Disk::write(int fd, Bytes bytes) {
  crash_point("before write");
  const ssize_t written = ::write(fd, bytes.data(), bytes.size());
  if (written < 0 && errno == EINTR) return size_t{0};
  if (written < 0) return io_error("write", "a file", errno);
  crash_point("after write");
  return static_cast<size_t>(written);
}

Status Disk::sync(int fd) {
  crash_point("before sync");
  if (::fsync(fd) != 0) return io_error("sync", "a file", errno);
  crash_point("after sync");
  return ok();
}

Status Disk::truncate(int fd, uint64_t size_bytes) {
  crash_point("before truncate");
  if (::ftruncate(fd, static_cast<off_t>(size_bytes)) != 0) return io_error("truncate", "a file", errno);
  crash_point("after truncate");
  return ok();
}

Status Disk::rename(const fs::path& from, const fs::path& to) {
  crash_point("before rename");
  if (::rename(from.c_str(), to.c_str()) != 0) return io_error("rename into place", to, errno);
  crash_point("after rename");
  return ok();
}

Status Disk::remove(const fs::path& path) {
  crash_point("before remove");
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return io_error("remove", path, errno);
  crash_point("after remove");
  return ok();
}

Status Disk::make_directories(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return io_error("create the folder", path, error.value());
  return ok();
}

Status write_all(Disk& disk, int fd, Bytes bytes) {
  while (!bytes.empty()) {
    HONE_TRY(const size_t written, disk.write(fd, bytes));
    bytes = bytes.subspan(written);
  }
  return ok();
}

Status sync_directory(Disk& disk, const fs::path& path) {
  HONE_TRY(const Fd fd, disk.open(path.empty() ? fs::path(".") : path, O_RDONLY | O_DIRECTORY, 0));
  return disk.sync(fd.get());
}

namespace {

fs::path temporary_name(const fs::path& path) {
  static std::atomic<uint64_t> counter{0};
  return path.parent_path() / fmt::format(".{}.{}.{}.tmp", path.filename().string(), getpid(), ++counter);
}

Status write_temporary(Disk& disk, const fs::path& path, std::string_view content, Durable durable, unsigned mode) {
  HONE_TRY(const Fd fd, disk.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode));
  HONE_CHECK(write_all(disk, fd.get(), bytes_of(content)));
  return durable == Durable::yes ? disk.sync(fd.get()) : ok();
}

}  // namespace

Status write_file(Disk& disk, const fs::path& path, std::string_view content, Durable durable, unsigned mode) {
  const fs::path temporary = temporary_name(path);
  if (Status written = write_temporary(disk, temporary, content, durable, mode); !written) {
    std::ignore = disk.remove(temporary);
    return Error{written.error().code, fmt::format("cannot write {}", path.string())}.because(written.error());
  }
  HONE_CHECK(disk.rename(temporary, path));
  return durable == Durable::yes ? sync_directory(disk, path.parent_path()) : ok();
}

Status write_file_if_changed(Disk& disk, const fs::path& path, std::string_view content) {
  if (const auto before = read_file(path); before && *before == content) return ok();
  HONE_CHECK(disk.make_directories(path.parent_path()));
  return write_file(disk, path, content);
}

namespace {

Result<std::string> read_open_file(int fd, const fs::path& path, uint64_t size_hint) {
  std::string content(size_hint, '\0');
  size_t filled = 0;
  while (true) {
    if (filled == content.size()) content.resize(content.size() + 4096);
    const ssize_t got = ::read(fd, content.data() + filled, content.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return io_error("read", path, errno);
    if (got == 0) break;
    filled += static_cast<size_t>(got);
  }
  content.resize(filled);
  return content;
}

}  // namespace

Result<std::string> read_file(const fs::path& path, uint64_t limit_bytes) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));  // a pipe must not wait for its writer
  if (!fd) return io_error("open", path, errno);
  struct stat info {};
  if (fstat(fd.get(), &info) != 0) return io_error("read", path, errno);
  if (!S_ISREG(info.st_mode)) return Error{ErrorCode::io, fmt::format("{} is not a regular file", path.string())};
  const auto size = static_cast<uint64_t>(info.st_size);
  if (size > limit_bytes)
    return Error{ErrorCode::io,
                 fmt::format("{} is {} bytes, more than the limit of {}", path.string(), size, limit_bytes)};
  return read_open_file(fd.get(), path, size + 1);
}

bool path_exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

Result<std::vector<fs::path>> list_files(const fs::path& root) {
  std::error_code error;
  std::vector<fs::path> files;
  fs::recursive_directory_iterator walk(root, error), end;
  if (error) return io_error("list", root, error.value());
  for (; walk != end; walk.increment(error)) {
    if (error) return io_error("list", root, error.value());
    if (walk->is_regular_file() && !walk->is_symlink()) files.push_back(walk->path().lexically_relative(root));
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<TemporaryFolder> TemporaryFolder::make(const fs::path& parent, std::string_view prefix) {
  std::string pattern = (parent / fmt::format("{}XXXXXX", prefix)).string();
  if (mkdtemp(pattern.data()) == nullptr) return io_error("create a temporary folder in", parent, errno);
  return TemporaryFolder(fs::path(pattern));
}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

namespace {

// The variable's folder; like every path of that standard it counts only when it is absolute.
std::optional<fs::path> folder_in(const char* variable) {
  const char* set = getenv(variable);
  return set != nullptr && set[0] == '/' ? std::optional<fs::path>(set) : std::nullopt;
}

// Without a home, a folder of this user's for temporary files.
fs::path xdg_folder(const char* variable, const char* fallback_below_home) {
  if (const auto set = folder_in(variable)) return *set / "hone";
  if (const auto home = folder_in("HOME")) return *home / fallback_below_home / "hone";
  return fs::temp_directory_path() / fmt::format("hone-{}", getuid()) / fallback_below_home;
}

}  // namespace

fs::path user_data_folder() { return xdg_folder("XDG_DATA_HOME", ".local/share"); }
fs::path user_cache_folder() { return xdg_folder("XDG_CACHE_HOME", ".cache"); }

Result<fs::path> user_runtime_folder() {
  const auto set = folder_in("XDG_RUNTIME_DIR");
  const fs::path folder = set ? *set / "hone" : fs::path(fmt::format("/tmp/hone-{}", getuid()));
  std::error_code ignored;
  fs::create_directories(folder.parent_path(), ignored);
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return io_error("create the folder", folder, errno);
  struct stat info {};
  if (lstat(folder.c_str(), &info) != 0) return io_error("read", folder, errno);
  // A folder of that name made by somebody else would let them plant locks and worktrees.
  if (!S_ISDIR(info.st_mode) || info.st_uid != getuid())
    return Error{ErrorCode::environment,
                 fmt::format("{} belongs to somebody else", folder.string()),
                 {},
                 "hone keeps worktrees and device locks there",
                 "remove it or set XDG_RUNTIME_DIR"};
  return folder;
}

}  // namespace hone
