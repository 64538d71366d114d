// Test support: a stranger's process that wants one core for itself, from its construction to its destruction.
#pragma once

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hone::device::cpu {

class SpinningProcess {
 public:
  explicit SpinningProcess(int core) : pid_(fork()) {
    if (pid_ != 0) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    sched_setaffinity(0, sizeof set, &set);
    alarm(60);
    for (volatile bool forever = true; forever;) {
    }
  }
  ~SpinningProcess() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  SpinningProcess(const SpinningProcess&) = delete;
  SpinningProcess& operator=(const SpinningProcess&) = delete;

  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

}  // namespace hone::device::cpu
