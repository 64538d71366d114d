// A forked child that says when it is ready and then waits to be killed; for tests about the death of processes.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace hone::record::testing {

class WaitingChild {
 public:
  // `prepare` runs in the child; its result is what the child reports.
  explicit WaitingChild(const std::function<bool()>& prepare) {
    int ends[2];
    if (pipe(ends) != 0) return;
    pid_ = fork();
    if (pid_ == 0) {
      const char report = prepare() ? 'y' : 'n';
      if (write(ends[1], &report, 1) == 1) pause();
      _exit(1);
    }
    char report = 'n';
    close(ends[1]);
    ready_ = read(ends[0], &report, 1) == 1 && report == 'y';
    close(ends[0]);
  }
  ~WaitingChild() { end(); }
  WaitingChild(const WaitingChild&) = delete;
  WaitingChild& operator=(const WaitingChild&) = delete;

  bool ready() const { return ready_; }
  pid_t pid() const { return pid_; }
  void signal(int number) const { kill(pid_, number); }
  void end() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
  bool ready_ = false;
};

}  // namespace hone::record::testing
