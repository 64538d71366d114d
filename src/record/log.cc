#include "record/log.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

namespace hone::record {

Log::Log(Disk& disk, fs::path path, Fd fd, const LogContent& content)
    : disk_(&disk), path_(std::move(path)), fd_(std::move(fd)), head_(content.head), size_bytes_(content.good_bytes) {}

Result<OpenedLog> Log::open(Disk& disk, const fs::path& path, const LineVisitor& visit) {
  HONE_TRY(Fd fd, disk.open(path, O_RDWR | O_CREAT | O_APPEND, 0666));
  HONE_TRY(const LogContent content, read_log(path, visit));
  if (!content.torn.empty()) {
    HONE_CHECK(keep_torn(disk, path, content.head.lines + 1, content.torn));
    HONE_CHECK(disk.truncate(fd.get(), content.good_bytes));
  }
  // A process that was killed between write and fsync leaves lines that are read but not yet durable.
  HONE_CHECK(disk.sync(fd.get()));
  HONE_CHECK(sync_directory(disk, path.parent_path()));
  HONE_TRY(auto torn, torn_at(path, content.head.lines + 1));
  return OpenedLog{Log(disk, path, std::move(fd), content), std::move(torn)};
}

Result<Head> Log::append(std::string_view body) {
  const std::string one(body);
  return append_many(std::span(&one, 1));
}

Result<Head> Log::append_many(std::span<const std::string> bodies) {
  HONE_CHECK(check_usable());
  Head next = head_;
  std::string text;
  for (const std::string& body : bodies) {
    HONE_TRY(const SealedLine line, seal(body, next.hash));
    text += line.text;
    next = {next.lines + 1, line.hash};
  }
  if (text.empty()) return head_;
  HONE_CHECK(write_and_sync(text));
  head_ = next;
  size_bytes_ += text.size();
  return head_;
}

Status Log::check_usable() const {
  if (broken_)
    return Error{ErrorCode::io,
                 fmt::format("{} is closed after a failed write", path_.string()),
                 {},
                 "what reached the disk is unknown",
                 "run the same command again: the log is then read anew"};
  struct stat info {};
  if (fstat(fd_.get(), &info) != 0) return io_error("read the size of", path_, errno);
  if (static_cast<uint64_t>(info.st_size) == size_bytes_) return ok();
  return Error{ErrorCode::refused, fmt::format("{} is {} bytes long instead of {}: somebody else wrote to it",
                                               path_.string(), info.st_size, size_bytes_)};
}

Status Log::write_and_sync(std::string_view text) {
  if (Status written = write_all(*disk_, fd_.get(), bytes_of(text)); !written) return take_back(written.error());
  if (Status synced = disk_->sync(fd_.get()); !synced) {
    // After a failed fsync the kernel may call pages clean that never reached the disk: no later fsync can be believed.
    broken_ = true;
    return take_back(synced.error());
  }
  return ok();
}

Status Log::take_back(const Error& cause) {
  Error error{cause.code, fmt::format("cannot append to {}: nothing was recorded", path_.string())};
  error.help = cause.help;
  if (Status cut = disk_->truncate(fd_.get(), size_bytes_); !cut) {
    broken_ = true;
    error.causes.push_back(cut.error());
  }
  return std::move(error).because(cause);
}

}  // namespace hone::record
