// RunDelay: how long the threads of a process stood ready while somebody else had their core, as the kernel counts it
// in /proc/PID/task/TID/schedstat (second number, nanoseconds since the thread began). The condition of a launch, not
// its time: a thread that is stopped or asleep does not wait. One thread; the files are owned. A kernel without these
// figures, or a thread that ended, makes the answer absent.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "base/fd.h"

namespace hone::device::cpu {

class RunDelay {
 public:
  void watch(pid_t process, std::span<const pid_t> threads, const std::filesystem::path& root = "/");
  // Summed over the threads; takes about a microsecond a thread.
  std::optional<uint64_t> total_ns() const;

 private:
  std::vector<Fd> files_;
};

// Share (0 … 1) of `window_ns` in which others had the core, between two readings. The hand-over between judge and
// runner costs a little delay itself and is not somebody else.
std::optional<double> disturbed_fraction(std::optional<uint64_t> before_ns, std::optional<uint64_t> after_ns,
                                         double window_ns);

}  // namespace hone::device::cpu
