// Store: a campaign on disk, held by one writer: lock, log, blobs, and the State that the log folds to.
// append() is the only way to change anything: the event is durable, then folded. An event that does not fold is
// refused before it is written, so the log can always be read again. Not thread-safe. Failures: environment (another
// hone holds the lock, exit 3), refused (broken chain, impossible history, exit 1), io.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/disk.h"
#include "base/json.h"
#include "base/result.h"
#include "campaign/state.h"
#include "record/blobs.h"
#include "record/lock.h"
#include "record/log.h"

namespace hone::loop {

class Store {
 public:
  // Opens for writing; creates the folder when there is none.
  static Result<Store> open(Disk& disk, Clock& clock, const fs::path& folder, const std::string& command);

  const campaign::State& state() const { return state_; }
  const fs::path& folder() const { return folder_; }
  const record::Head& head() const { return log_->head(); }
  Disk& disk() { return *disk_; }

  Status append(campaign::EventBody body);
  Result<std::string> put(std::string_view bytes);  // durable; the digest's hex
  Result<std::string> get(const std::string& digest) const;
  template <class T>
  Result<std::string> put_json(const T& value) {
    return put(json::to_text(value));
  }
  template <class T>
  Result<T> get_json(const std::string& digest) const {
    HONE_TRY(const std::string text, get(digest));
    return json::from_text<T>(text);
  }

 private:
  Store(Disk& disk, Clock& clock, fs::path folder) : disk_(&disk), clock_(&clock), folder_(std::move(folder)) {}
  Status read_log();
  Status refuse_lost_log() const;
  Status tell_of_torn(const std::vector<record::TornTail>& tails);

  Disk* disk_;
  Clock* clock_;
  fs::path folder_;
  std::optional<record::Lock> lock_;
  std::optional<record::Log> log_;
  std::optional<record::Blobs> blobs_;
  campaign::State state_;
  bool failed_ = false;  // the state is ahead of a log that could not be written: nothing more may follow
};

// A campaign read without its lock, for status, report and audit.
struct ReadOnly {
  campaign::State state;
  record::Head head;
  uint64_t torn_bytes = 0;
};
Result<ReadOnly> read_campaign(const fs::path& folder);
Result<std::string> read_blob(const fs::path& folder, const std::string& digest);

}  // namespace hone::loop
