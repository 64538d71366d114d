#include "device/workshop.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "sandbox/own_limits.h"
#include "sandbox/spawn.h"

namespace hone::device {

namespace {

constexpr uint64_t k_output_cap_bytes = 256ull << 20;

constexpr size_t k_most_entries = 4096;

bool is_left_over(const fs::path& folder) {
  const std::string name = folder.filename().string();
  pid_t owner = 0;
  std::from_chars(name.data(), name.data() + name.size(), owner);
  return owner > 0 && kill(owner, 0) != 0 && errno == ESRCH;
}

bool stays_inside(const fs::path& path) {
  const auto normal = path.lexically_normal();
  return !path.empty() && path.is_relative() && normal.begin()->string() != "..";
}

// What a small kernel's build needs at most; less is this machine's fault, and must not be blamed on a candidate.
constexpr uint64_t k_room_bytes = 16ull << 20;

Status enough_room(const fs::path& cache) {
  struct statvfs disk {};
  const bool known = statvfs(cache.c_str(), &disk) == 0;
  if (known && disk.f_bavail * disk.f_frsize < k_room_bytes)
    return Error{
        ErrorCode::environment,
        fmt::format("the file system of {} has {} left", cache.string(), human_bytes(disk.f_bavail * disk.f_frsize)),
        {},
        "a compiler could not write its output, and a candidate would be blamed for it",
        "free some space there, or set XDG_CACHE_HOME to another folder"};
  return ok();
}

Status write_sources(Disk& disk, const Workshop& workshop, std::span<const task::CandidateFile> files) {
  for (const task::CandidateFile& file : files) {
    if (!stays_inside(file.path))
      return Error{ErrorCode::contract, fmt::format("'{}' leaves the candidate's folder", file.path)};
    const fs::path path = workshop.source() / file.path;
    HONE_CHECK(disk.make_directories(path.parent_path()));
    HONE_CHECK(write_file(disk, path, file.bytes));
  }
  return ok();
}

}  // namespace

fs::path builds_folder(const fs::path& cache) { return cache / "builds"; }

Result<Workshop> open_workshop(const fs::path& cache, std::span<const task::CandidateFile> files) {
  Disk disk;
  HONE_CHECK(disk.make_directories(cache / "artefacts"));
  HONE_CHECK(disk.make_directories(builds_folder(cache)));
  HONE_CHECK(sandbox::limits_suffice_for(sandbox::Purpose::judging));
  HONE_CHECK(enough_room(cache));
  HONE_TRY(TemporaryFolder folder, TemporaryFolder::make(builds_folder(cache), fmt::format("{}-", getpid())));
  Workshop workshop{std::move(folder)};
  chmod(workshop.folder.path().c_str(), 0711);
  HONE_CHECK(disk.make_directories(workshop.source()));
  HONE_CHECK(disk.make_directories(workshop.objects()));
  HONE_CHECK(write_sources(disk, workshop, files));
  HONE_CHECK(sandbox::give_to_confined(workshop.objects()));
  return workshop;
}

// Outputs were written by a process that read hostile files: no link is followed, nothing but a file is read.
Result<std::string> read_built(const fs::path& path) {
  const Fd fd(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat info {};
  if (!fd || fstat(fd.get(), &info) != 0) return io_error("read the output", path, errno);
  if (!S_ISREG(info.st_mode) || static_cast<uint64_t>(info.st_size) > k_output_cap_bytes)
    return Error{ErrorCode::refused,
                 fmt::format("what its compiler wrote is no file of at most {}", human_bytes(k_output_cap_bytes))};
  std::string bytes(static_cast<size_t>(info.st_size), '\0');
  if (pread(fd.get(), bytes.data(), bytes.size(), 0) != info.st_size) return io_error("read the output", path, EIO);
  return bytes;
}

Result<std::vector<std::string>> read_built(const fs::path& folder, std::span<const std::string> names) {
  std::vector<std::string> outputs;
  for (const std::string& name : names) {
    HONE_TRY(std::string bytes, read_built(folder / name));
    outputs.push_back(std::move(bytes));
  }
  return outputs;
}

Result<std::vector<BuiltFile>> read_tree(const fs::path& folder) {
  std::vector<BuiltFile> files;
  std::error_code error;
  size_t entries = 0;
  for (fs::recursive_directory_iterator walk(folder, error), end; !error && walk != end; walk.increment(error)) {
    if (++entries > k_most_entries)
      return Error{ErrorCode::refused, fmt::format("its compiler wrote more than {} files", k_most_entries)};
    if (walk->is_directory(error) && !walk->is_symlink(error)) continue;
    HONE_TRY(std::string bytes, read_built(walk->path()));
    files.push_back({walk->path().lexically_relative(folder).string(), std::move(bytes)});
  }
  if (error) return io_error("read the folder", folder, error.value());
  std::ranges::sort(files, {}, &BuiltFile::name);
  return files;
}

Status write_tree(const fs::path& folder, std::span<const BuiltFile> files) {
  Disk disk;
  for (const BuiltFile& file : files) {
    const fs::path path = folder / file.name;
    HONE_CHECK(disk.make_directories(path.parent_path()));
    HONE_CHECK(write_file(disk, path, file.bytes));
  }
  return ok();
}

void sweep_left_overs(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator walk(folder, error), end;
  for (; !error && walk != end; walk.increment(error)) {
    std::error_code ignored;
    if (is_left_over(walk->path())) fs::remove_all(walk->path(), ignored);
  }
}

Digest digest_of(std::span<const std::string> outputs) {
  Sha256 hash;
  for (const std::string& bytes : outputs) hash.add_field(bytes);
  return hash.finish();
}

Status store_artefact(const fs::path& folder, std::span<const BuiltFile> files) {
  Disk disk;
  const fs::path cache = folder.parent_path().parent_path();
  HONE_TRY(const TemporaryFolder fresh, TemporaryFolder::make(builds_folder(cache), fmt::format("{}-", getpid())));
  const fs::path ready = fresh.path() / "ready";
  HONE_CHECK(disk.make_directories(ready));
  HONE_CHECK(write_tree(ready, files));
  // Somebody else may have built the same content in the meantime: either folder will do.
  const Status renamed = disk.rename(ready, folder);
  return renamed || path_exists(folder) ? ok() : renamed;
}

}  // namespace hone::device
