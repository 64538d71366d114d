// Reads a log from the first line to the last and verifies the chain on the way; memory does not grow with the log.
// May run while another process appends: what stands after the last newline is handed back and judged by nobody (a
// writer opens the log through Log::open, which keeps such a torn tail aside). Failure: io when the file cannot be
// read; refused (exit 1) when a line does not fit the chain, naming the line and what differs; whatever the visitor
// returns. Any thread.
#pragma once

#include <functional>
#include <span>

#include "base/disk.h"
#include "record/log_line.h"

namespace hone::record {

// Called once a line (without its newline, chain fields included) after the line was verified. Numbers start at 1.
using LineVisitor = std::function<Status(std::string_view line, uint64_t number)>;

struct LogContent {
  Head head;
  uint64_t good_bytes = 0;  // up to and including the last newline
  std::string torn;         // the bytes after it, at most 64 KiB
};

Result<LogContent> read_log(const fs::path& path, const LineVisitor& visit);

// The chain alone cannot show a log that was cut at a line boundary or rewritten from some line on. Heads that were
// noted elsewhere (commit trailers, verdicts, reports) can: every anchor must be a line of this log.
Status check_anchors(const fs::path& path, std::span<const Head> anchors);

}  // namespace hone::record
