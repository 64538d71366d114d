// One holder at a time: an OFD lock on a file, freed by the kernel when its holder dies however it dies. The file holds
// a note that lets the next one say who is in the way; the note decides nothing. Used for a campaign (`take`) and for a
// device (`wait`). Ownership: the lock lives as long as the object; a child made by fork without exec would share it, a
// spawned one does not. Failure: environment (exit 3) when held, or when the file system has no locks that all machines
// see; io. Not thread-safe.
#pragma once

#include <functional>

#include "base/clock.h"
#include "base/disk.h"
#include "record/owner.h"

namespace hone::record {

// What the lock file tells, as one line of JSON.
struct LockNote {
  Owner owner;
  std::string since;    // to_iso8601
  std::string command;  // "hone run softmax"
};

template <class A>
void describe(A& archive, LockNote& note) {
  archive.field("owner", note.owner);
  archive.field("since", note.since);
  archive.field("command", note.command);
}

class Lock {
 public:
  // At once or not at all, but for the moment that a dead holder's child may take to let go. `work` completes the
  // sentence "another hone (…) is working …": "in this campaign", "on this device".
  static Result<Lock> take(Disk& disk, const fs::path& path, const LockNote& note, std::string_view work);
  // Tries again until `patience` is over, or nobody wants it any more (interrupted).
  static Result<Lock> wait(
      Disk& disk, const fs::path& path, const LockNote& note, std::string_view work, Clock& clock, Nanoseconds patience,
      const std::function<bool()>& cancelled = [] { return false; });

 private:
  explicit Lock(Fd fd) : fd_(std::move(fd)) {}
  Fd fd_;
};

// Who holds the lock at `path` now, without touching it; nothing when it is free. An unreadable note has empty texts.
std::optional<LockNote> holder_of(const fs::path& path);

// A note about this process, now.
LockNote note_for(std::string command, const Clock& clock);

// Why locks on the file system of `device` ("major:minor") would not be seen by other machines; "" when they would, or
// when no other machine can reach it. `mountinfo`: text of /proc/self/mountinfo.
std::string local_lock_problem(std::string_view mountinfo, std::string_view device);
// The error of a lock call that failed for another reason than that somebody holds it.
Error lock_error(const fs::path& path, int error_number);

}  // namespace hone::record
