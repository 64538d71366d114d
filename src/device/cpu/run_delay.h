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
  std::optional<std::vector<CoreTime>> times() const;  // of each thread; about a microsecond a thread

 private:
  std::vector<Fd> files_;
};

// What all threads of a process ran together, those too that have ended; absent when it has.
std::optional<uint64_t> ran_ns(pid_t process);

// What arm and judge had of the cores that they share.
struct Shares {
  std::vector<CoreTime> threads;  // of the arm, those that are watched; thread i stands on core i modulo `cores`
  size_t cores = 1;
  uint64_t arm_ran_ns = 0;  // threads too that nobody watches
  CoreTime judge;           // on the first core
};

// The least share (0 … 1) of `window_ns` in which others had a core, between two readings. Whoever waits, waits for
// strangers or for somebody of ours on the same core: what those ran meanwhile is taken off, and what threads ran that
// nobody watches, or a candidate that wakes the judge, or starts threads, could have its slow launches discarded. The
// hand-over between judge and arm costs a little delay itself and is not somebody else either.
std::optional<double> disturbed_fraction(const std::optional<Shares>& before, const std::optional<Shares>& after,
                                         double window_ns);

}  // namespace hone::device::cpu
