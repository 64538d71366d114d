#include "task/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/disk.h"
#include "base/text.h"

namespace hone::task {

namespace {

Error unusable(std::string_view path, std::string_view what, std::string help) {
  return Error{ErrorCode::contract,
               fmt::format("'{}' {}", quote_untrusted(path, 200), what),
               {},
               "a task is one folder of plain files, so that it means the same wherever it is copied",
               std::move(help)};
}

Error why_not_opened(int folder, const std::string& component, std::string_view path, bool last) {
  const int error = errno;
  struct stat info {};
  if (fstatat(folder, component.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0)
    return unusable(path, "does not exist", "put the file there, or name one that is in the task's folder");
  if (S_ISLNK(info.st_mode))
    return unusable(path, fmt::format("goes through the symbolic link '{}'", component), "put the file itself there");
  if (!last && !S_ISDIR(info.st_mode))
    return unusable(path, fmt::format("goes through '{}', which is no folder", component), "name a file in a folder");
  return io_error("open", fs::path(path), error);
}

Result<Fd> open_component(int folder, const std::string& component, std::string_view path, bool last) {
  // O_NONBLOCK: a planted FIFO must not hold us.
  const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (last ? 0 : O_DIRECTORY);
  Fd fd(::openat(folder, component.c_str(), flags));
  if (!fd) return why_not_opened(folder, component, path, last);
  return fd;
}

Result<std::string> read_whole(int fd, std::string_view path, uint64_t size_hint, uint64_t limit_bytes) {
  std::string bytes(size_hint + 1, '\0');
  size_t filled = 0;
  while (true) {
    const ssize_t got = ::read(fd, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return io_error("read", fs::path(path), errno);
    filled += static_cast<size_t>(got);
    if (filled > limit_bytes) return unusable(path, "grew while it was read", "try again when nobody writes to it");
    if (got == 0) break;
    if (filled == bytes.size()) bytes.resize(bytes.size() + 4096);
  }
  bytes.resize(filled);
  return bytes;
}

Result<struct stat> status_of(const Fd& fd, std::string_view path) {
  struct stat info {};
  if (fstat(fd.get(), &info) != 0) return io_error("read", fs::path(path), errno);
  return info;
}

}  // namespace

Status check_relative(std::string_view path) {
  if (path.empty()) return unusable(path, "is no file name", "name a file");
  if (path.front() == '/') return unusable(path, "is absolute", "name files relative to the task's folder");
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::any_of(path.begin(), path.end(), control))
    return unusable(path, "holds control characters", "rename the file");
  for (const std::string& component : split(path, '/')) {
    if (component == "..") return unusable(path, "leaves the folder", "copy the file into the task's folder");
    if (component.empty() || component == ".")
      return unusable(path, "is not written in its shortest form", "write it without './' and '//'");
  }
  return ok();
}

Result<Fd> open_inside(const fs::path& folder, std::string_view path) {
  HONE_CHECK(check_relative(path));
  Fd at(::open(folder.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
  if (!at) return io_error("open", folder, errno);
  const auto components = split(path, '/');
  for (size_t i = 0; i < components.size(); ++i) {
    HONE_TRY(Fd next, open_component(at.get(), components[i], path, i + 1 == components.size()));
    at = std::move(next);
  }
  HONE_TRY(const auto info, status_of(at, path));
  if (!S_ISREG(info.st_mode)) return unusable(path, "is not a regular file", "put a plain file there");
  return at;
}

Result<uint64_t> size_inside(const fs::path& folder, std::string_view path) {
  HONE_TRY(const Fd fd, open_inside(folder, path));
  HONE_TRY(const auto info, status_of(fd, path));
  return static_cast<uint64_t>(info.st_size);
}

Result<InsideFile> read_inside(const fs::path& folder, std::string_view path, uint64_t limit_bytes) {
  HONE_TRY(const Fd fd, open_inside(folder, path));
  HONE_TRY(const auto info, status_of(fd, path));
  const auto size = static_cast<uint64_t>(info.st_size);
  if (size > limit_bytes)
    return unusable(path, fmt::format("is {} bytes, more than the limit of {}", size, limit_bytes),
                    "make the file smaller");
  HONE_TRY(std::string bytes, read_whole(fd.get(), path, size, limit_bytes));
  return InsideFile{std::move(bytes), (info.st_mode & S_IXUSR) != 0};
}

}  // namespace hone::task
