#include "record/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <vector>

#include "base/json.h"
#include "base/text.h"

namespace hone::record {

namespace {

constexpr Nanoseconds k_poll_interval =
    std::chrono::milliseconds(20);  // short beside any round, long beside a system call
constexpr Nanoseconds k_grace =
    std::chrono::seconds(2);  // a program is started within milliseconds, on a busy machine too
constexpr size_t k_note_cap_bytes = 4096;
constexpr size_t k_shown_command_bytes = 200;

enum class Attempt { held_by_us, held_by_another, file_replaced };

Error unsafe_file_system(const fs::path& path, std::string_view problem) {
  return {ErrorCode::environment,
          fmt::format("cannot lock {}: {}", path.string(), problem),
          {},
          "two hones could then write the same log",
          "put the campaign on a local disk with -C FOLDER"};
}

Status check_file_system(int fd, const fs::path& path) {
  struct stat info {};
  if (fstat(fd, &info) != 0) return io_error("read", path, errno);
  const auto mountinfo = read_file("/proc/self/mountinfo");
  if (!mountinfo) return ok();
  const auto device = fmt::format("{}:{}", major(info.st_dev), minor(info.st_dev));
  const std::string problem = local_lock_problem(*mountinfo, device);
  return problem.empty() ? ok() : Status(unsafe_file_system(path, problem));
}

// Somebody may have removed the file between our open and our lock: a lock on a file without a name excludes nobody.
bool still_named(int fd, const fs::path& path) {
  struct stat ours {};
  struct stat named {};
  return fstat(fd, &ours) == 0 && stat(path.c_str(), &named) == 0 && ours.st_ino == named.st_ino &&
         ours.st_dev == named.st_dev;
}

Result<Attempt> try_lock(int fd, const fs::path& path) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (fcntl(fd, F_OFD_SETLK, &whole) != 0) {
    if (errno == EAGAIN || errno == EACCES) return Attempt::held_by_another;
    return lock_error(path, errno);
  }
  return still_named(fd, path) ? Attempt::held_by_us : Attempt::file_replaced;
}

Status write_note(Disk& disk, int fd, const LockNote& note) {
  HONE_CHECK(disk.truncate(fd, 0));
  return write_all(disk, fd, bytes_of(json::to_text(note) + "\n"));
}

// The locked file, or nothing when somebody else holds it.
Result<std::optional<Fd>> try_once(Disk& disk, const fs::path& path, const LockNote& note) {
  while (true) {
    HONE_TRY(Fd fd, disk.open(path, O_RDWR | O_CREAT, 0666));
    HONE_CHECK(check_file_system(fd.get(), path));
    HONE_TRY(const Attempt attempt, try_lock(fd.get(), path));
    if (attempt == Attempt::held_by_another) return std::nullopt;
    if (attempt == Attempt::file_replaced) continue;
    HONE_CHECK(write_note(disk, fd.get(), note));
    return std::optional(std::move(fd));
  }
}

std::optional<LockNote> note_in(const fs::path& path) {
  const auto text = read_file(path, k_note_cap_bytes);
  const auto note = text ? json::from_text<LockNote>(*text) : Result<LockNote>(Error{});
  return note ? std::optional(*note) : std::nullopt;
}

Error held(const fs::path& path, std::string_view work) {
  std::string who = "another hone";
  if (const auto note = note_in(path))
    who +=
        fmt::format(" (pid {}, since {}, '{}')", note->owner.pid, quote_untrusted(note->since, k_shown_command_bytes),
                    quote_untrusted(note->command, k_shown_command_bytes));
  return {ErrorCode::environment,
          fmt::format("{} is working {}", who, work),
          {.file = path.string()},
          {},
          "wait for it to end, or stop it"};
}

bool holder_is_dead(const fs::path& path) {
  const auto note = note_in(path);
  return note && !is_alive(note->owner);
}

}  // namespace

// A program that a dead holder was just starting has the lock until it runs: that is waited for.
Result<Lock> Lock::take(Disk& disk, const fs::path& path, const LockNote& note, std::string_view work) {
  HONE_TRY(auto fd, try_once(disk, path, note));
  for (Nanoseconds waited{0}; !fd && waited < k_grace && holder_is_dead(path); waited += k_poll_interval) {
    SystemClock().sleep(k_poll_interval);
    HONE_TRY(fd, try_once(disk, path, note));
  }
  if (!fd) return held(path, work);
  return Lock(*std::move(fd));
}

Result<Lock> Lock::wait(Disk& disk, const fs::path& path, const LockNote& note, std::string_view work, Clock& clock,
                        Nanoseconds patience, const std::function<bool()>& cancelled) {
  const Nanoseconds until = clock.now() + patience;
  while (true) {
    HONE_TRY(auto fd, try_once(disk, path, note));
    if (fd) return Lock(*std::move(fd));
    if (cancelled())
      return Error{ErrorCode::interrupted, fmt::format("interrupted while another hone was working {}", work)};
    if (clock.now() >= until) return held(path, work);
    clock.sleep(std::min(k_poll_interval, until - clock.now()));
  }
}

std::optional<LockNote> holder_of(const fs::path& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (!fd || fcntl(fd.get(), F_OFD_GETLK, &whole) != 0 || whole.l_type == F_UNLCK) return std::nullopt;
  return note_in(path).value_or(LockNote{});
}

LockNote note_for(std::string command, const Clock& clock) {
  return {this_process(), to_iso8601(clock.wall_time()), std::move(command)};
}

std::string local_lock_problem(std::string_view mountinfo, std::string_view device) {
  for (const std::string& line : split_lines(mountinfo)) {
    // proc(5): id, parent, major:minor, root, mount point, options, optional fields, "-", type, source, super options
    const auto fields = split(line, ' ');
    const auto dash = std::ranges::find(fields, "-");
    if (fields.size() < 3 || fields[2] != device || fields.end() - dash < 4) continue;
    if (!(dash + 1)->starts_with("nfs")) return "";
    for (const std::string& option : split(*(dash + 3), ',')) {
      if (option == "nolock" || option == "local_lock=all" || option == "local_lock=posix")
        return fmt::format("it lies on NFS mounted with '{}', so other machines would not see the lock", option);
    }
  }
  return "";
}

Error lock_error(const fs::path& path, int error_number) {
  const bool unsupported =
      error_number == EINVAL || error_number == ENOLCK || error_number == EOPNOTSUPP || error_number == ENOSYS;
  if (!unsupported) return io_error("lock", path, error_number);
  return unsafe_file_system(path, fmt::format("this file system offers no such lock ({})", strerror(error_number)));
}

}  // namespace hone::record
