// RunDelay: how long threads ran, and how long they stood ready while somebody else had their core, as the kernel
// counts it in /proc/PID/task/TID/schedstat (nanoseconds since the thread began). The condition of a launch, not its
// time: a thread that is stopped or asleep neither runs nor waits. One thread; the files are owned. A kernel without
// these figures, or a thread that ended, makes the answer absent.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "base/fd.h"

namespace hone::device::cpu {

struct CoreTime {
  uint64_t ran_ns = 0;
  uint64_t waited_ns = 0;
};

class RunDelay {
 public:
  void watch(pid_t process, std::span<const pid_t> threads, const std::filesystem::path& root = "/");
  // Summed over the threads; takes about a microsecond a thread.
  std::optional<CoreTime> total() const;

 private:
  std::vector<Fd> files_;
};

// What arm and judge had of the core that they share. The judge is absent where the arm has several threads: it then
// waits for those that still spin, which is the arm's own doing.
struct Shares {
  CoreTime arm;
  std::optional<CoreTime> judge;
};

// The least share (0 … 1) of `window_ns` in which others had the core, between two readings. Whoever waits, waits for
// strangers or for the other of the two: so what the other ran meanwhile is taken off, or a candidate that wakes the
// judge while it runs could have its slow launches discarded. The hand-over between the two costs a little delay itself
// and is not somebody else either.
std::optional<double> disturbed_fraction(const std::optional<Shares>& before, const std::optional<Shares>& after,
                                         double window_ns);

}  // namespace hone::device::cpu
