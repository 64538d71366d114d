#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>

// System calls of a child between its clone and its program, straight to the kernel. libc and the sanitizers' runtimes
// keep locks and records around theirs: other threads of the parent may have held them when the child was copied, and
// nobody is left in it to release them. All return what the call does, and set errno.
namespace hone::sandbox::child {

inline int open(const char* path, int flags, unsigned mode = 0) {
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
inline int close(int fd) { return static_cast<int>(syscall(SYS_close, fd)); }
inline long write(int fd, const void* bytes, size_t size) { return syscall(SYS_write, fd, bytes, size); }
// `fd` itself may not be `onto`.
inline int duplicate(int fd, int onto, int flags) { return static_cast<int>(syscall(SYS_dup3, fd, onto, flags)); }
inline int socket(int family, int type) { return static_cast<int>(syscall(SYS_socket, family, type, 0)); }
inline int remove_folder(const char* path) {
  return static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR));
}
inline int control(int option, unsigned long value) {
  return static_cast<int>(syscall(SYS_prctl, option, value, 0, 0, 0));
}
// What has happened by now to one descriptor.
inline int poll_now(pollfd& asked) {
  const timespec none{};
  return static_cast<int>(syscall(SYS_ppoll, &asked, 1, &none, nullptr, 0));
}

// SIG_DFL or SIG_IGN.
inline void set_signal(int number, void (*disposition)(int)) {
  struct {  // the kernel's own
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)();
    uint64_t mask;
  } const action{disposition, 0, nullptr, 0};
  syscall(SYS_rt_sigaction, number, &action, nullptr, sizeof action.mask);
}
inline void unblock_signals() {
  const uint64_t none = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, sizeof none);
}

}  // namespace hone::sandbox::child
