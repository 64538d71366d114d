// Pinning: who runs on which core. Unpinned, equal kernels differ by 10 to 20 % a round, pinned by about 1 %.
// Failure: environment, when the kernel refuses. Cores are the numbers of the machine.
#pragma once

#include <sys/types.h>

#include <span>
#include <vector>

#include "base/result.h"

namespace hone::device::cpu {

// The calling thread onto one core of the set: the first, where a one-thread runner works too. The judge sleeps while
// that one runs.
Status pin_judge(std::span<const int> cores);

// One thread of any process of ours onto one core. A thread that has just ended is no failure.
Status pin_thread(pid_t thread, int core);

// The threads of a process, oldest first; empty once it is gone.
std::vector<pid_t> threads_of(pid_t process);

}  // namespace hone::device::cpu
