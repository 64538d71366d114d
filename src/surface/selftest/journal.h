// The journal of a long selftest: a first line that says whose answers these are, then one TrialRecord a line. A line
// that a killed run left unfinished is cut off, once the head has shown that the file is ours; nothing else is ever
// taken away. Of two answers to one trial the first counts: it was there when the second was asked for, and an answer
// that could be asked for again until it pleases would be none. Failure: environment for a journal of another hone,
// judge or device, contract for a file that is no journal, io. A file that is refused is left as it was. One thread.
#pragma once

#include <string>
#include <vector>

#include "base/disk.h"
#include "surface/selftest/trial.h"

namespace hone::cli {

struct JournalHead {
  std::string schema = "hone.selftest-journal/1";
  std::string judge_version;
  std::string device_key;
  std::string task_digest;
  friend bool operator==(const JournalHead&, const JournalHead&) = default;
};

class Journal {
 public:
  // Begins a journal, or opens the one that is there.
  static Result<Journal> open(Disk& disk, const fs::path& path, const JournalHead& head);

  const std::vector<TrialRecord>& records() const { return records_; }
  bool has(const Trial& trial) const;
  Status append(const TrialRecord& record);

 private:
  Journal(Disk& disk, fs::path path) : disk_(&disk), path_(std::move(path)) {}
  Status begin(const JournalHead& head);
  Status take(const std::string& text, const JournalHead& head);
  Status read(const std::string& text, const JournalHead& head);
  Status write_line(const std::string& line);

  Disk* disk_;
  fs::path path_;
  Fd fd_;
  std::vector<TrialRecord> records_;
};

template <class A>
void describe(A& a, JournalHead& v) {
  a.field("schema", v.schema);
  a.field("judge_version", v.judge_version);
  a.field("device_key", v.device_key);
  a.field("task_digest", v.task_digest);
}

}  // namespace hone::cli
