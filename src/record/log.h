// The append-only, hash-chained log of a campaign (log.jsonl; layout in log_line.h, rules in docs/log.md).
// An append is one write and one fsync, and is acknowledged by returning: what returned survives kill -9 and power
// cuts. An append that fails leaves nothing behind, or the log is closed for this process (is_broken) so that nothing
// lands on a torn line. Ownership: one writer, who holds the campaign's lock; the Disk must outlive the Log. Not
// thread-safe. Failure: io; refused for a broken chain; internal for a body that cannot be a line.
#pragma once

#include <span>
#include <vector>

#include "base/disk.h"
#include "record/log_reader.h"
#include "record/torn.h"

namespace hone::record {

struct OpenedLog;

class Log {
 public:
  // Creates the log when there is none; reads and verifies it, giving each line to `visit`; keeps a torn tail aside and
  // cuts it off; syncs, so that every line that was visited is durable.
  static Result<OpenedLog> open(Disk& disk, const fs::path& path, const LineVisitor& visit);

  // `body`: see seal(). The returned head is the anchor of the new line.
  Result<Head> append(std::string_view body);
  // All with one fsync. A crash may leave a part of them, from the first on, as whole lines; a failure leaves none.
  Result<Head> append_many(std::span<const std::string> bodies);

  const Head& head() const { return head_; }
  uint64_t size_bytes() const { return size_bytes_; }
  bool is_broken() const { return broken_; }
  const fs::path& path() const { return path_; }

 private:
  Log(Disk& disk, fs::path path, Fd fd, const LogContent& content);
  Status check_usable() const;
  Status write_and_sync(std::string_view text);
  Status take_back(const Error& cause);

  Disk* disk_;
  fs::path path_;
  Fd fd_;
  Head head_;
  uint64_t size_bytes_ = 0;
  bool broken_ = false;
};

struct OpenedLog {
  Log log;
  std::vector<TornTail> torn;  // tails that no line tells of yet: the caller's next event should
};

}  // namespace hone::record
