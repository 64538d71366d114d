// Disk: the seam through which hone changes durable state, and the few file operations built on it.
// Every write, sync and rename passes here, so that tests can inject short writes, ENOSPC and EIO, and crash builds can
// die at any of them. Errors: ErrorCode::io with the path. Paths are taken as given; nothing is cached. One thread per
// Disk.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/hash.h"
#include "base/result.h"

namespace hone {

namespace fs = std::filesystem;

class Disk {
 public:
  virtual ~Disk() = default;
  virtual Result<Fd> open(const fs::path& path, int flags, unsigned mode);  // O_CLOEXEC is added
  virtual Result<size_t> write(int fd, Bytes bytes);                        // may write fewer bytes than asked
  virtual Status sync(int fd);
  virtual Status truncate(int fd, uint64_t size_bytes);
  virtual Status rename(const fs::path& from, const fs::path& to);
  virtual Status remove(const fs::path& path);  // absent is fine
  virtual Status make_directories(const fs::path& path);
};

enum class Durable { yes, no };

Status write_all(Disk& disk, int fd, Bytes bytes);
// The file appears whole or not at all: temporary file beside it, optional fsync, rename, optional fsync of the folder.
Status write_file(Disk& disk, const fs::path& path, std::string_view content, Durable durable = Durable::no,
                  unsigned mode = 0644);
Status sync_directory(Disk& disk, const fs::path& path);
// Writes only when the bytes differ, so that views keep their time stamps.
Status write_file_if_changed(Disk& disk, const fs::path& path, std::string_view content);

// Reading needs no seam. `limit_bytes` refuses larger files.
Result<std::string> read_file(const fs::path& path, uint64_t limit_bytes = 1ull << 30);
bool path_exists(const fs::path& path);
// Regular files below `root`, relative, sorted; symlinks are not followed and not listed.
Result<std::vector<fs::path>> list_files(const fs::path& root);
Error io_error(std::string_view doing, const fs::path& path, int error_number);

// A private folder that is removed with all its content when it goes out of scope.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make(const fs::path& parent, std::string_view prefix);
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  ~TemporaryFolder();
  const fs::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

// XDG_DATA_HOME/hone, XDG_CACHE_HOME/hone and the runtime folder (XDG_RUNTIME_DIR/hone, else /tmp/hone-UID, mode 0700).
fs::path user_data_folder();
fs::path user_cache_folder();
Result<fs::path> user_runtime_folder();

}  // namespace hone
