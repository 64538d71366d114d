// Torn tails: the bytes after the last newline of a log, left by a process that died or a disk that filled while it
// appended. They are kept in torn/ beside the log, named by the line that they would have become: torn/31.bytes, then
// torn/31-2.bytes, … So until line 31 is written the files of line 31 are those that no event tells of yet, however
// often hone died in between. Failure: io. One writer (the campaign's lock).
#pragma once

#include <vector>

#include "base/disk.h"

namespace hone::record {

struct TornTail {
  fs::path file;
  uint64_t size_bytes = 0;
  Digest digest = {};
};

// Durable when it returns; bytes that are already kept for this line are not kept twice.
Status keep_torn(Disk& disk, const fs::path& log, uint64_t line, std::string_view bytes);

// All tails kept for a line, oldest first.
Result<std::vector<TornTail>> torn_at(const fs::path& log, uint64_t line);

}  // namespace hone::record
