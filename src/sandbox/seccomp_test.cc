// The rules, each asked of the kernel: a child installs the filter, makes one call, and says what it got.
#include "sandbox/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "base/text.h"

namespace hone::sandbox {
namespace {

using testing::Contains;
using testing::Not;

constexpr int k_no_filter = 200;

// 0, or the errno of the call.
int answer(Rules rules, long (*call)(), Threads threads = Threads::many) {
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    const auto filter = make_filter(rules, threads);
    if (!filter || install_filter(*filter) != 0) _exit(k_no_filter);
    errno = 0;
    _exit(call() == -1 ? errno : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct Ask {
  const char* what;
  long (*call)();
  int build;  // what is answered
  int runner;
};

long open_as(const char* path, int flags) { return open(path, flags, 0600); }
long signal_parent() { return kill(getppid(), 0); }
long map(int flags) { return mmap(nullptr, 4096, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED ? -1 : 0; }
long limit_cores() {
  const rlimit none{0, 0};
  return setrlimit(RLIMIT_CORE, &none);
}
long start_true() {
  char* const argv[] = {const_cast<char*>("true"), nullptr};
  return execv("/bin/true", argv);
}
long start_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  return child;
}
long ask_terminal() {
  termios settings{};
  const long got = ioctl(0, TCGETS, &settings);
  return got == -1 && errno == EPERM ? -1 : 0;  // no terminal is another answer
}

const Ask k_asks[] = {
    {"brk", [] { return syscall(SYS_brk, 0); }, 0, 0},
    {"getrandom",
     [] {
       char b;
       return syscall(SYS_getrandom, &b, 1, 0);
     },
     0, 0},
    {"clock_gettime",
     [] {
       timespec t;
       return syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
     },
     0, 0},
    {"membarrier", [] { return syscall(SYS_membarrier, 0, 0, 0); }, 0, 0},
    {"open to read", [] { return open_as("/dev/null", O_RDONLY); }, 0, 0},
    {"open to write", [] { return open_as("/dev/null", O_WRONLY); }, 0, EPERM},
    {"open to read and write", [] { return open_as("/dev/null", O_RDWR); }, 0, EPERM},
    {"open to truncate", [] { return open_as("/dev/null", O_RDONLY | O_TRUNC); }, 0, EPERM},
    {"unlink", [] { return long{unlink("/no/such/file")}; }, ENOENT, EPERM},
    {"rename", [] { return long{rename("/no/such/file", "/no/such/other")}; }, ENOENT, EPERM},
    {"mmap private", [] { return map(MAP_PRIVATE | MAP_ANONYMOUS); }, 0, 0},
    {"mmap shared", [] { return map(MAP_SHARED | MAP_ANONYMOUS); }, 0, EPERM},
    {"memfd_create", [] { return syscall(SYS_memfd_create, "x", 0); }, EPERM, EPERM},
    {"fork", start_process, 0, EPERM},
    {"execve", start_true, 0, EPERM},
    {"clone3", [] { return syscall(SYS_clone3, nullptr, 0); }, ENOSYS, ENOSYS},
    {"clone with a namespace", [] { return syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0); }, EPERM, EPERM},
    {"clone as a sibling", [] { return syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0); }, EPERM, EPERM},
    {"setsid", [] { return long{setsid()}; }, EPERM, EPERM},
    {"setpgid", [] { return long{setpgid(0, 0)}; }, EPERM, EPERM},
    {"kill oneself", [] { return long{kill(getpid(), 0)}; }, EPERM, 0},
    {"kill a parent", signal_parent, EPERM, EPERM},
    {"kill everybody", [] { return long{kill(-1, 0)}; }, EPERM, EPERM},
    {"tgkill", [] { return syscall(SYS_tgkill, getppid(), getppid(), 0); }, EPERM, EPERM},
    {"setrlimit", limit_cores, 0, EPERM},
    {"getrlimit",
     [] {
       rlimit limit;
       return long{getrlimit(RLIMIT_STACK, &limit)};
     },
     0, 0},
    {"another's limits",
     [] {
       rlimit limit;
       return long{prlimit(getppid(), RLIMIT_CPU, nullptr, &limit)};
     },
     EPERM, EPERM},
    {"sched_yield", [] { return syscall(SYS_sched_yield); }, 0, 0},
    {"sched_setaffinity", [] { return syscall(SYS_sched_setaffinity, 0, 0, nullptr); }, EPERM, 0},
    {"sched_setscheduler", [] { return syscall(SYS_sched_setscheduler, 0, 0, nullptr); }, EPERM, EPERM},
    {"setpriority", [] { return long{setpriority(PRIO_PROCESS, 0, 10)}; }, EPERM, EPERM},
    {"a timer that signals", [] { return syscall(SYS_setitimer, 0, nullptr, nullptr); }, EPERM, EPERM},
    {"timer_create", [] { return syscall(SYS_timer_create, 0, nullptr, nullptr); }, EPERM, EPERM},
    {"alarm", [] { return syscall(SYS_alarm, 1); }, EPERM, EPERM},
    {"fcntl F_GETFL", [] { return long{fcntl(2, F_GETFL)}; }, 0, 0},
    {"fcntl F_SETOWN", [] { return long{fcntl(2, F_SETOWN, getppid())}; }, EPERM, EPERM},
    {"ioctl TCGETS", ask_terminal, 0, 0},
    {"ioctl TIOCSTI", [] { return long{ioctl(0, TIOCSTI, "x")}; }, EPERM, EPERM},
    {"prctl PR_SET_NAME", [] { return long{prctl(PR_SET_NAME, "x")}; }, 0, 0},
    {"prctl PR_SET_DUMPABLE", [] { return long{prctl(PR_SET_DUMPABLE, 1)}; }, EPERM, EPERM},
    {"prctl PR_SET_PDEATHSIG", [] { return long{prctl(PR_SET_PDEATHSIG, 0)}; }, EPERM, EPERM},
    {"prctl PR_SET_SECCOMP", [] { return long{prctl(PR_SET_SECCOMP, 2, nullptr)}; }, EPERM, EPERM},
    {"socket", [] { return syscall(SYS_socket, 1, 1, 0); }, EPERM, EPERM},
    {"socketpair", [] { return syscall(SYS_socketpair, 1, 1, 0, nullptr); }, EPERM, EPERM},
    {"ptrace", [] { return syscall(SYS_ptrace, 0, 0, 0, 0); }, EPERM, EPERM},
    {"shmget", [] { return syscall(SYS_shmget, 0, 4096, 0600); }, EPERM, EPERM},
    {"io_uring_setup", [] { return syscall(SYS_io_uring_setup, 1, nullptr); }, EPERM, EPERM},
    {"perf_event_open", [] { return syscall(SYS_perf_event_open, nullptr, 0, 0, 0, 0); }, EPERM, EPERM},
    {"userfaultfd", [] { return syscall(SYS_userfaultfd, 0); }, EPERM, EPERM},
    {"mount", [] { return syscall(SYS_mount, nullptr, "/", nullptr, 0, nullptr); }, EPERM, EPERM},
    {"unshare", [] { return long{unshare(CLONE_NEWUSER)}; }, EPERM, EPERM},
    {"a call that is known and not listed", [] { return syscall(SYS_set_mempolicy_home_node, 0, 0, 0, 0); }, EPERM,
     EPERM},
    {"a call that is newer than the tables", [] { return syscall(451, 0, 0, 0, 0); }, ENOSYS, ENOSYS},
};

TEST(Seccomp, AnswersAsItsTablesSay) {
  for (const Ask& ask : k_asks) {
    EXPECT_EQ(answer(Rules::build, ask.call), ask.build) << ask.what << " in a build";
    EXPECT_EQ(answer(Rules::runner, ask.call), ask.runner) << ask.what << " in a runner";
  }
}

long start_thread() {
  pthread_t thread;
  const auto nothing = [](void*) -> void* { return nullptr; };
  errno = pthread_create(&thread, nullptr, nothing, nullptr);
  return errno == 0 ? pthread_join(thread, nullptr) : -1;
}

TEST(Seccomp, ThreadsAreForThoseThatMayHaveThem) {
  EXPECT_EQ(answer(Rules::runner, start_thread, Threads::many), 0);
  EXPECT_NE(answer(Rules::runner, start_thread, Threads::one), 0);
  EXPECT_EQ(answer(Rules::build, start_thread), 0);
}

#ifdef __x86_64__
// getpid, which both rule sets allow, through the doors of the two other ABIs.
long getpid_of_x32() { return syscall(0x40000000 | SYS_getpid); }
long getpid_of_i386() {
  long result = 20;
  asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
  if (result >= 0) return result;
  errno = static_cast<int>(-result);
  return -1;
}

TEST(Seccomp, OtherAbisAreRefusedWhateverTheCall) {
  for (const Rules rules : {Rules::build, Rules::runner}) {
    EXPECT_EQ(answer(rules, getpid_of_x32), ENOSYS);
    // A kernel without the 32-bit ABI has no such door: the instruction is a fault.
    EXPECT_THAT(answer(rules, getpid_of_i386), testing::AnyOf(EPERM, 128 + SIGSEGV));
  }
}
#endif

long connected(int family, int type) {
  const int socket = static_cast<int>(syscall(SYS_socket, family, type, 0));
  const sockaddr nowhere{static_cast<sa_family_t>(family), {}};
  return socket < 0 ? -1 : syscall(SYS_connect, socket, &nowhere, sizeof nowhere);
}

// NVIDIA's driver makes such a socket and waits at it, or does not start.
TEST(Seccomp, ALauncherMayMakeOneKindOfSocketAndConnectNone) {
  const auto make = [] { return syscall(SYS_socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0); };
  EXPECT_EQ(answer(Rules::launcher, make), 0);
  EXPECT_EQ(answer(Rules::launcher, [] { return syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0); }), EPERM);
  EXPECT_EQ(answer(Rules::launcher, [] { return syscall(SYS_socket, AF_UNIX, SOCK_DGRAM, 0); }), EPERM);
  EXPECT_EQ(answer(Rules::launcher, [] { return syscall(SYS_socket, AF_INET, SOCK_STREAM, 0); }), EPERM);
  EXPECT_EQ(answer(Rules::launcher, [] { return syscall(SYS_socket, AF_NETLINK, SOCK_RAW, 0); }), EPERM);
  EXPECT_EQ(answer(Rules::launcher, [] { return connected(AF_UNIX, SOCK_SEQPACKET); }), EPERM);
}

TEST(Seccomp, ASanitizerMayConnect) {
  EXPECT_EQ(answer(Rules::sanitizer, [] { return syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0); }), 0);
  EXPECT_NE(answer(Rules::sanitizer, [] { return connected(AF_INET, SOCK_STREAM); }), EPERM);
  EXPECT_EQ(answer(Rules::sanitizer, [] { return syscall(SYS_socket, AF_NETLINK, SOCK_RAW, 0); }), EPERM);
  EXPECT_EQ(answer(Rules::sanitizer, [] { return syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0); }), EPERM);
}

// The checker speaks with what it watches through two pipes in a folder of its own.
template <mode_t kind>
long made() {
  return syscall(SYS_mknodat, AT_FDCWD, "/nowhere/at/all", kind | 0600, 0);
}

TEST(Seccomp, ASanitizerMayMakeNamedPipesAndNothingElseOfTheKind) {
  EXPECT_EQ(answer(Rules::sanitizer, made<S_IFIFO>), ENOENT);
  EXPECT_EQ(answer(Rules::sanitizer, made<S_IFCHR>), EPERM);
  EXPECT_EQ(answer(Rules::sanitizer, made<S_IFSOCK>), EPERM);
  EXPECT_EQ(answer(Rules::launcher, made<S_IFIFO>), EPERM);
}

std::vector<std::string> names_of(Rules rules) {
  std::vector<std::string> names;
  for (const AllowedCalls& row : allowed_calls(rules)) {
    for (const std::string& call : row.calls) names.push_back(call);
  }
  return names;
}

TEST(Seccomp, EveryCallStandsOnceInEveryRuleSet) {
  for (const Rules rules : {Rules::build, Rules::runner}) {
    auto names = names_of(rules);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
    for (const Threads threads : {Threads::one, Threads::many}) {
      const auto filter = make_filter(rules, threads);
      ASSERT_TRUE(filter) << to_text(filter.error());
    }
  }
}

TEST(Seccomp, TheRunnerIsHeldTighterThanABuild) {
  EXPECT_THAT(names_of(Rules::build), Contains("execve"));
  EXPECT_THAT(names_of(Rules::runner), Not(Contains("execve")));
  EXPECT_THAT(names_of(Rules::runner), Contains("openat (to read)"));
}

}  // namespace
}  // namespace hone::sandbox
