#include "surface/selftest/journal.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace hone::cli {

namespace {

Error belongs_to_another(const fs::path& path) {
  return Error{ErrorCode::environment,
               "this journal was begun by another judge, on another device or with another compiler",
               {path.string(), 1, 0},
               "answers of different machines or rules do not add up",
               "name another file with --journal, or move this one away"};
}

Error no_journal(const fs::path& path, size_t line) {
  return {ErrorCode::contract,
          "this is no line of a selftest's journal",
          {path.string(), static_cast<uint32_t>(line), 0},
          "the file may be somebody else's, and is left as it is",
          "name another file with --journal, or move this one away"};
}

Status can_be_kept(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status) || fs::is_regular_file(status)) return ok();
  return Error{ErrorCode::usage,
               "a journal cannot be kept there",
               {path.string(), 0, 0},
               "it is not a plain file",
               "name a plain file with --journal"};
}

}  // namespace

Result<Journal> Journal::open(Disk& disk, const fs::path& path, const JournalHead& head) {
  HONE_CHECK(can_be_kept(path));
  Journal journal(disk, path);
  if (!path.parent_path().empty()) HONE_CHECK(disk.make_directories(path.parent_path()));
  HONE_TRY(journal.fd_, disk.open(path, O_RDWR | O_CREAT | O_APPEND, 0644));
  HONE_TRY(const std::string text, read_file(path));
  HONE_CHECK(journal.take(text, head));
  return journal;
}

// Whose file it is comes first. Only then is what follows the last newline cut off: it was never finished.
Status Journal::take(const std::string& text, const JournalHead& head) {
  const size_t whole = text.rfind('\n') + 1;
  if (whole == 0 && !json::to_text(head).starts_with(text)) return no_journal(path_, 1);
  if (whole != 0) HONE_CHECK(read(text.substr(0, whole), head));
  if (whole != text.size()) HONE_CHECK(disk_->truncate(fd_.get(), whole));
  return whole == 0 ? begin(head) : ok();
}

Status Journal::begin(const JournalHead& head) {
  HONE_CHECK(write_line(json::to_text(head)));
  return path_.parent_path().empty() ? ok() : sync_directory(*disk_, path_.parent_path());
}

Status Journal::read(const std::string& text, const JournalHead& head) {
  const std::vector<std::string> lines = split_lines(text);
  if (lines.empty()) return no_journal(path_, 1);
  const auto found = json::from_text<JournalHead>(lines.front());
  if (!found) return no_journal(path_, 1).because(found.error());
  if (!(*found == head)) return belongs_to_another(path_);
  for (size_t i = 1; i < lines.size(); ++i) {
    auto record = json::from_text<TrialRecord>(lines[i]);
    if (!record) return no_journal(path_, i + 1).because(record.error());
    if (!has({.family = record->family, .index = record->index})) records_.push_back(std::move(*record));
  }
  return ok();
}

bool Journal::has(const Trial& trial) const {
  return std::any_of(records_.begin(), records_.end(), [&](const TrialRecord& record) {
    return record.family == trial.family && record.index == trial.index;
  });
}

Status Journal::append(const TrialRecord& record) {
  HONE_CHECK(write_line(json::to_text(record)));
  records_.push_back(record);
  return ok();
}

Status Journal::write_line(const std::string& line) {
  HONE_CHECK(write_all(*disk_, fd_.get(), bytes_of(line + "\n")));
  return disk_->sync(fd_.get());
}

}  // namespace hone::cli
