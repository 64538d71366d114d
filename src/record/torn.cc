#include "record/torn.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::record {

namespace {

fs::path torn_folder(const fs::path& log) { return log.parent_path() / "torn"; }

fs::path torn_file(const fs::path& log, uint64_t line, size_t nth) {
  const std::string suffix = nth == 1 ? "" : fmt::format("-{}", nth);
  return torn_folder(log) / fmt::format("{}{}.bytes", line, suffix);
}

}  // namespace

Result<std::vector<TornTail>> torn_at(const fs::path& log, uint64_t line) {
  std::vector<TornTail> tails;
  for (size_t nth = 1; path_exists(torn_file(log, line, nth)); ++nth) {
    const fs::path file = torn_file(log, line, nth);
    HONE_TRY(const std::string bytes, read_file(file));
    tails.push_back({file, bytes.size(), sha256(bytes)});
  }
  return tails;
}

Status keep_torn(Disk& disk, const fs::path& log, uint64_t line, std::string_view bytes) {
  HONE_TRY(const auto kept, torn_at(log, line));
  if (std::ranges::count(kept, sha256(bytes), &TornTail::digest) > 0) return ok();
  HONE_CHECK(disk.make_directories(torn_folder(log)));
  HONE_CHECK(sync_directory(disk, log.parent_path()));
  return write_file(disk, torn_file(log, line, kept.size() + 1), bytes, Durable::yes);
}

}  // namespace hone::record
