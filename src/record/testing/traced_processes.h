// Processes that kills its children at a chosen system call: the N-th, over all children, of those that can change a
// file. The child is stopped at the entry of that call, so the call does not happen. Linux 5.3
// (PTRACE_GET_SYSCALL_INFO).
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <iterator>

#include "base/disk.h"
#include "base/process.h"

namespace hone::record::testing {

constexpr long k_changing_calls[] = {
    SYS_openat, SYS_write, SYS_fsync,  SYS_close, SYS_renameat, SYS_linkat, SYS_unlinkat, SYS_mkdirat, SYS_ftruncate,
#ifdef SYS_rename
    SYS_rename, SYS_link,  SYS_unlink, SYS_mkdir, SYS_rmdir,
#endif
};

class TracedProcesses final : public Processes {
 public:
  uint64_t kill_at = UINT64_MAX;
  uint64_t passed = 0;
  bool allowed = true;  // false once tracing turned out to be forbidden here

  Result<Finished> run(const Command& command) override {
    const Fd input = memory_file(command.input);
    const Fd output = memory_file("");
    const Fd errors = memory_file("");
    const pid_t pid = fork();
    if (pid == 0) become(command, input, output, errors);
    Finished done{.exit_status = trace(pid)};
    done.output = content_of(output);
    done.errors = content_of(errors);
    return done;
  }

 private:
  static Fd memory_file(const std::string& content) {
    Fd fd(memfd_create("traced", MFD_CLOEXEC));
    if (pwrite(fd.get(), content.data(), content.size(), 0) < 0) abort();
    return fd;
  }

  static std::string content_of(const Fd& fd) {
    std::string content(static_cast<size_t>(lseek(fd.get(), 0, SEEK_END)), '\0');
    if (pread(fd.get(), content.data(), content.size(), 0) < 0) abort();
    return content;
  }

  [[noreturn]] static void become(const Command& command, const Fd& input, const Fd& output, const Fd& errors) {
    dup2(input.get(), STDIN_FILENO);
    dup2(output.get(), STDOUT_FILENO);
    dup2(errors.get(), STDERR_FILENO);
    for (const auto& [name, value] : command.environment) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> argv;
    for (const std::string& word : command.argv) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(126);
    raise(SIGSTOP);
    execvp(argv.front(), argv.data());
    _exit(127);
  }

  bool dies_here(pid_t pid) {
    __ptrace_syscall_info info{};
    if (ptrace(static_cast<__ptrace_request>(PTRACE_GET_SYSCALL_INFO), pid, sizeof info, &info) <= 0) return false;
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY) return false;
    const auto number = static_cast<long>(info.entry.nr);
    return std::ranges::count(k_changing_calls, number) > 0 && ++passed == kill_at;
  }

  int trace(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    allowed = allowed && WIFSTOPPED(status);
    if (allowed) ptrace(PTRACE_SETOPTIONS, pid, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    while (WIFSTOPPED(status)) {
      const int signal = WSTOPSIG(status);
      if (signal == (SIGTRAP | 0x80) && dies_here(pid)) kill(pid, SIGKILL);
      const bool ours = signal == (SIGTRAP | 0x80) || signal == SIGTRAP || signal == SIGSTOP;
      ptrace(PTRACE_SYSCALL, pid, nullptr, ours ? 0 : signal);
      if (waitpid(pid, &status, 0) != pid) return 1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
};

}  // namespace hone::record::testing
