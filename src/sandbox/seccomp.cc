#include "sandbox/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>
#include <span>

#include "base/fd.h"
#include "base/text.h"

namespace hone::sandbox {

namespace {

enum class For { all, build, runner, launcher, sanitizer };

// ---- allowed whatever the arguments ----

struct AllowedRow {
  For set;
  std::string_view purpose;
  std::string_view calls;
};

constexpr AllowedRow k_allowed[] = {
    {For::all, "memory of its own", "brk munmap mremap mprotect membarrier"},
    {For::all, "threads and waiting",
     "futex set_robust_list get_robust_list set_tid_address rseq gettid getpid getppid sched_yield sched_getaffinity "
     "sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min getcpu exit exit_group "
     "restart_syscall poll ppoll select pselect6"},
    {For::all, "reading, and printing to what is open",
     "read readv pread64 preadv preadv2 write writev pwrite64 pwritev pwritev2 lseek close close_range dup dup2 dup3 "
     "fstat newfstatat stat lstat statx access faccessat faccessat2 readlink readlinkat getdents64 getcwd"},
    {For::all, "reading clocks, and sleeping",
     "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getrusage"},
    {For::all, "handling signals",
     "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack pause"},
    {For::all, "asking what and where it is",
     "getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp getpgid getsid getpriority getrlimit uname "
     "sysinfo getrandom"},
    {For::build, "starting compilers",
     "execve execveat fork vfork wait4 waitid pipe pipe2 arch_prctl setrlimit setresuid setresgid"},
    {For::build, "memory, files among it", "mmap msync mlock munlock mincore"},
    {For::build, "opening files", "open openat creat umask chdir fchdir statfs fstatfs flock fadvise64 readahead"},
    {For::build, "writing files",
     "ftruncate truncate fallocate fsync fdatasync copy_file_range sendfile rename renameat renameat2 unlink unlinkat "
     "mkdir mkdirat rmdir link linkat symlink symlinkat chmod fchmod fchmodat utimensat utimes futimesat"},
    {For::build, "advice about memory", "madvise"},
    {For::build, "attributes of files", "getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr"},
    {For::build, "waiting for files", "eventfd2 epoll_create1 epoll_ctl epoll_wait epoll_pwait"},
    {For::launcher, "asking devices", "ioctl"},
    {For::launcher, "memory near to devices",
     "get_mempolicy set_mempolicy mbind mlock2 memfd_create sched_setaffinity sched_setscheduler"},
    {For::launcher, "talking to the judge, and between threads", "sendmsg recvmsg sendto recvfrom socketpair"},
    // NVIDIA's driver makes such a socket for sharing memory, which nobody asks of it; connecting stays refused.
    {For::launcher, "waiting to be asked", "bind listen"},
    {For::sanitizer, "talking with what is watched",
     "connect accept accept4 getsockname getpeername setsockopt getsockopt shutdown sendmmsg recvmmsg"},
    {For::sanitizer, "ending what is watched", "kill tgkill setpgid setsid"},
    {For::sanitizer, "waiting for a time", "timerfd_create timerfd_settime timerfd_gettime epoll_create epoll_pwait2"},
};

// ---- allowed for some arguments ----

// (argument & mask) == equals. Arguments that are C ints are compared in 32 bits, as the kernel reads them.
struct Condition {
  unsigned argument;
  uint64_t mask;
  uint64_t equals;
};

constexpr uint64_t k_int = 0xffffffff;
constexpr uint64_t k_word = ~0ull;
constexpr uint64_t k_self = ~0ull - 1;  // stands for the process that makes the filter
constexpr uint64_t k_writes = O_ACCMODE | O_CREAT | O_TRUNC;
constexpr uint64_t k_new_world = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                 CLONE_NEWNET | CLONE_NEWCGROUP | CLONE_PARENT;

enum class With { any_threads, many_threads };

struct ConditionalRow {
  For set;
  const char* call;
  const char* words;
  With with;
  Condition first;
  Condition second = {0, 0, 0};
};

constexpr ConditionalRow k_conditional[] = {
    // A thread of its own, and nothing that the judge would not see or could not stop.
    {For::runner,
     "clone",
     "a thread, where the contract allows more than one",
     With::many_threads,
     {0, k_new_world | CLONE_THREAD, CLONE_THREAD}},
    {For::build, "clone", "without namespaces, below its parent", With::any_threads, {0, k_new_world, 0}},
    // Shared memory would outlive the judge's view of it.
    {For::runner, "mmap", "private", With::any_threads, {3, MAP_SHARED, 0}},
    // No advice that removes or moves the pages that are there: it would reach what the judge maps too.
    {For::runner, "madvise", "MADV_NORMAL", With::any_threads, {2, k_int, MADV_NORMAL}},
    {For::runner, "madvise", "MADV_RANDOM", With::any_threads, {2, k_int, MADV_RANDOM}},
    {For::runner, "madvise", "MADV_SEQUENTIAL", With::any_threads, {2, k_int, MADV_SEQUENTIAL}},
    {For::runner, "madvise", "MADV_WILLNEED", With::any_threads, {2, k_int, MADV_WILLNEED}},
    {For::runner, "madvise", "MADV_DONTNEED", With::any_threads, {2, k_int, MADV_DONTNEED}},
    {For::runner, "madvise", "MADV_FREE", With::any_threads, {2, k_int, MADV_FREE}},
    {For::runner, "madvise", "MADV_HUGEPAGE", With::any_threads, {2, k_int, MADV_HUGEPAGE}},
    {For::runner, "madvise", "MADV_NOHUGEPAGE", With::any_threads, {2, k_int, MADV_NOHUGEPAGE}},
    {For::runner, "open", "to read", With::any_threads, {1, k_writes, O_RDONLY}},
    {For::runner, "openat", "to read", With::any_threads, {2, k_writes, O_RDONLY}},
    {For::runner, "kill", "itself", With::any_threads, {0, k_int, k_self}},
    {For::runner, "tgkill", "itself", With::any_threads, {0, k_int, k_self}},
    {For::build, "tgkill", "with SIGABRT", With::any_threads, {2, k_int, SIGABRT}},
    {For::launcher,
     "socket",
     "AF_UNIX, SOCK_SEQPACKET",
     With::any_threads,
     {0, k_int, AF_UNIX},
     {1, 0xf, SOCK_SEQPACKET}},
    {For::sanitizer, "mknod", "a pipe with a name", With::any_threads, {1, S_IFMT, S_IFIFO}},
    {For::sanitizer, "mknodat", "a pipe with a name", With::any_threads, {2, S_IFMT, S_IFIFO}},
    {For::sanitizer, "socket", "AF_UNIX", With::any_threads, {0, k_int, AF_UNIX}},
    {For::sanitizer, "socket", "AF_INET", With::any_threads, {0, k_int, AF_INET}},
    {For::sanitizer, "socket", "AF_INET6", With::any_threads, {0, k_int, AF_INET6}},
    {For::sanitizer, "prctl", "PR_SET_PDEATHSIG", With::any_threads, {0, k_int, PR_SET_PDEATHSIG}},
    {For::sanitizer, "prctl", "PR_SET_CHILD_SUBREAPER", With::any_threads, {0, k_int, PR_SET_CHILD_SUBREAPER}},
    {For::runner, "prlimit64", "to read its own", With::any_threads, {0, k_int, 0}, {2, k_word, 0}},
    {For::build, "prlimit64", "its own", With::any_threads, {0, k_int, 0}},
    {For::all, "prctl", "PR_SET_NAME", With::any_threads, {0, k_int, PR_SET_NAME}},
    {For::all, "prctl", "PR_GET_NAME", With::any_threads, {0, k_int, PR_GET_NAME}},
    {For::all, "prctl", "PR_GET_DUMPABLE", With::any_threads, {0, k_int, PR_GET_DUMPABLE}},
    {For::all, "prctl", "PR_CAPBSET_READ", With::any_threads, {0, k_int, PR_CAPBSET_READ}},
    {For::all, "prctl", "PR_GET_NO_NEW_PRIVS", With::any_threads, {0, k_int, PR_GET_NO_NEW_PRIVS}},
    // The permission for tile registers, which a kernel must ask for.
    {For::runner, "arch_prctl", "ARCH_GET_XCOMP_SUPP", With::any_threads, {0, k_int, 0x1021}},
    {For::runner, "arch_prctl", "ARCH_GET_XCOMP_PERM", With::any_threads, {0, k_int, 0x1022}},
    {For::runner, "arch_prctl", "ARCH_REQ_XCOMP_PERM", With::any_threads, {0, k_int, 0x1023}},
    // libc asks whether its output is a terminal.
    {For::all, "ioctl", "TCGETS", With::any_threads, {1, k_int, TCGETS}},
    {For::all, "ioctl", "TIOCGWINSZ", With::any_threads, {1, k_int, TIOCGWINSZ}},
    // No F_SETOWN, F_SETSIG, F_NOTIFY: they send signals.
    {For::all, "fcntl", "F_DUPFD", With::any_threads, {1, k_int, F_DUPFD}},
    {For::all, "fcntl", "F_DUPFD_CLOEXEC", With::any_threads, {1, k_int, F_DUPFD_CLOEXEC}},
    {For::all, "fcntl", "F_GETFD", With::any_threads, {1, k_int, F_GETFD}},
    {For::all, "fcntl", "F_SETFD", With::any_threads, {1, k_int, F_SETFD}},
    {For::all, "fcntl", "F_GETFL", With::any_threads, {1, k_int, F_GETFL}},
    {For::build, "fcntl", "F_SETFL", With::any_threads, {1, k_int, F_SETFL}},
    {For::build, "fcntl", "F_GETLK", With::any_threads, {1, k_int, F_GETLK}},
    {For::build, "fcntl", "F_SETLK", With::any_threads, {1, k_int, F_SETLK}},
    {For::build, "fcntl", "F_SETLKW", With::any_threads, {1, k_int, F_SETLKW}},
};

// ---- refused in another way than with EPERM ----

struct AnswerRow {
  For set;
  const char* call;
  int answers;  // errno; 0 = pretends to have worked
};

// clone3 passes its flags by pointer, which a filter cannot read: with ENOSYS libc takes clone, and likewise open for
// openat2, futex for futex_waitv.
// sched_setaffinity answers 0 and does nothing: EPERM would kill libgomp, and the judge pins threads from outside.
constexpr AnswerRow k_answers[] = {{For::all, "clone3", ENOSYS},
                                   {For::all, "openat2", ENOSYS},
                                   {For::all, "futex_waitv", ENOSYS},
                                   {For::runner, "sched_setaffinity", 0}};

struct AttributeRow {
  scmp_filter_attr attribute;
  uint32_t value;
};

constexpr AttributeRow k_attributes[] = {
    {SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM)},  // 32-bit calls
    {SCMP_FLTATR_CTL_OPTIMIZE, 2},                     // a tree: half the time to install, and less for every call
};

// The newest call that the tables above have an opinion on (Linux 5.17); for newer ones libc has another way.
constexpr const char* k_newest_call = "set_mempolicy_home_node";

bool concerns(For set, Rules rules) {
  if (set == For::all) return true;
  if (rules == Rules::runner) return set == For::runner;
  if (set == For::launcher) return rules == Rules::launcher || rules == Rules::sanitizer;
  return set == For::build || (set == For::sanitizer && rules == Rules::sanitizer);
}

// ---- compiling ----

struct Release {
  void operator()(void* context) const { seccomp_release(context); }
};
using Context = std::unique_ptr<void, Release>;

class Compiler {
 public:
  Compiler(const Context& context, Rules rules, Threads threads)
      : context_(context.get()), rules_(rules), threads_(threads) {}

  // The first call that cannot be ruled, or none.
  std::string add_all() {
    for (const AllowedRow& row : k_allowed) add(row);
    for (const ConditionalRow& row : k_conditional) add(row);
    for (const AnswerRow& row : k_answers) add(row);
    return failed_;
  }

 private:
  void add(const AllowedRow& row) {
    if (!concerns(row.set, rules_)) return;
    for (const std::string& call : split(row.calls, ' ')) add(SCMP_ACT_ALLOW, call, {});
  }

  void add(const ConditionalRow& row) {
    if (!concerns(row.set, rules_)) return;
    if (row.with == With::many_threads && threads_ == Threads::one) return;
    const scmp_arg_cmp conditions[] = {compared(row.first), compared(row.second)};
    add(SCMP_ACT_ALLOW, row.call, std::span(conditions).first(row.second.mask == 0 ? 1 : 2));
  }

  void add(const AnswerRow& row) {
    if (concerns(row.set, rules_)) add(SCMP_ACT_ERRNO(static_cast<uint32_t>(row.answers)), row.call, {});
  }

  // Some calls exist on some processors alone: their numbers are negative elsewhere, and nothing can make them.
  void add(uint32_t action, const std::string& name, std::span<const scmp_arg_cmp> conditions) {
    const int call = seccomp_syscall_resolve_name(name.c_str());
    if (call < 0 && call != __NR_SCMP_ERROR) return;
    const auto count = static_cast<unsigned>(conditions.size());
    const bool added =
        call != __NR_SCMP_ERROR && seccomp_rule_add_array(context_, action, call, count, conditions.data()) == 0;
    if (!added && failed_.empty()) failed_ = name;
  }

  static scmp_arg_cmp compared(const Condition& condition) {
    const uint64_t value = condition.equals == k_self ? static_cast<uint64_t>(getpid()) : condition.equals;
    return scmp_arg_cmp{condition.argument, SCMP_CMP_MASKED_EQ, condition.mask, value};
  }

  void* context_;
  Rules rules_;
  Threads threads_;
  std::string failed_;
};

Error filter_error(std::string_view what, int error_number) {
  return Error{ErrorCode::internal, fmt::format("{}: {}", what, strerror(error_number))};
}

// In front of libseccomp's program: what is newer than the tables does not exist. x32 calls are numbered far above and
// end here too.
Filter newer_calls() {
  const auto newest = static_cast<uint32_t>(seccomp_syscall_resolve_name(k_newest_call));
  return {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
          BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, newest, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS)};
}

// libseccomp writes the compiled program to a descriptor; it is read back so that a child can install it without
// allocating.
Result<Filter> export_filter(const Context& context) {
  const Fd file(memfd_create("hone-filter", MFD_CLOEXEC));
  if (!file) return filter_error("cannot hold a system-call filter", errno);
  if (const int failed = seccomp_export_bpf(context.get(), file.get()); failed != 0)
    return filter_error("cannot compile a system-call filter", -failed);
  const auto size = static_cast<size_t>(lseek(file.get(), 0, SEEK_END));
  Filter filter = newer_calls();
  const size_t front = filter.size();
  filter.resize(front + size / sizeof(sock_filter));
  if (pread(file.get(), filter.data() + front, size, 0) != static_cast<ssize_t>(size))
    return filter_error("cannot read a system-call filter back", EIO);
  return filter;
}

}  // namespace

Result<Filter> make_filter(Rules rules, Threads threads) {
  const Context context(seccomp_init(SCMP_ACT_ERRNO(EPERM)));
  if (!context) return filter_error("cannot start a system-call filter", ENOMEM);
  for (const AttributeRow& row : k_attributes) {
    if (const int failed = seccomp_attr_set(context.get(), row.attribute, row.value); failed != 0)
      return filter_error("cannot set a system-call filter up", -failed);
  }
  const std::string refused = Compiler(context, rules, threads).add_all();
  if (!refused.empty()) return filter_error(fmt::format("cannot add the system-call rule for {}", refused), EINVAL);
  return export_filter(context);
}

int install_filter(const Filter& filter) {
  sock_fprog program{static_cast<unsigned short>(filter.size()), const_cast<sock_filter*>(filter.data())};
  // SPEC_ALLOW: older kernels switch speculation off for filtered processes, which would slow every candidate down.
  // TSYNC: threads that are there already are filtered too; where one cannot be, its number comes back.
  constexpr unsigned flags = SECCOMP_FILTER_FLAG_SPEC_ALLOW | SECCOMP_FILTER_FLAG_TSYNC;
  const long failed = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  return failed < 0 ? errno : failed > 0 ? EACCES : 0;
}

std::vector<AllowedCalls> allowed_calls(Rules rules) {
  std::vector<AllowedCalls> allowed;
  for (const AllowedRow& row : k_allowed) {
    if (concerns(row.set, rules)) allowed.push_back({std::string(row.purpose), split(row.calls, ' ')});
  }
  AllowedCalls within{"within bounds", {}};
  for (const ConditionalRow& row : k_conditional) {
    if (concerns(row.set, rules)) within.calls.push_back(fmt::format("{} ({})", row.call, row.words));
  }
  allowed.push_back(std::move(within));
  return allowed;
}

}  // namespace hone::sandbox
