// A process named so that the name is never another's: pids are used again, a pid with its start time is not.
// Read from /proc. Absent and dead are the same; a zombie is dead, for it writes nothing any more. Pure reads, any
// thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace hone::record {

struct Owner {
  pid_t pid = 0;
  uint64_t start_ticks = 0;  // since boot, field 22 of /proc/PID/stat
  friend bool operator==(const Owner&, const Owner&) = default;
};

template <class A>
void describe(A& archive, Owner& owner) {
  archive.field("pid", owner.pid);
  archive.field("start_ticks", owner.start_ticks);
}

// Nothing when no such process lives.
std::optional<Owner> owner_of(pid_t pid);
Owner this_process();
bool is_alive(const Owner& owner);

}  // namespace hone::record
