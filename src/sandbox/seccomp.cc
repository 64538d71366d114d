#include "sandbox/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>

#include "base/fd.h"

namespace hone::sandbox {

namespace {

enum class When {
  always,
  makes_process,    // clone without CLONE_THREAD; every clone when one thread is the limit
  makes_namespace,  // clone with any namespace flag
  maps_shared,      // mmap of MAP_SHARED | MAP_ANONYMOUS: memory that would outlive the judge's view
  installs_filter,  // prctl(PR_SET_SECCOMP)
  names_other,      // first argument is a process other than oneself
  names_by_pid,     // first argument is a process by number; 0 stands for oneself
};

enum class For { both, build, runner };

struct Rule {
  const char* call;
  int answers;  // errno; 0 = pretends to have worked
  When when;
  For set;
};

// clone3 passes its flags by pointer, which a filter cannot read: ENOSYS makes libc fall back to clone.
// sched_setaffinity answers 0 and does nothing: EPERM would kill libgomp, and the judge pins threads from outside.
constexpr Rule k_rules[] = {
    {"clone", EPERM, When::makes_process, For::runner},
    {"clone", EPERM, When::makes_namespace, For::build},
    {"clone3", ENOSYS, When::always, For::both},
    {"fork", EPERM, When::always, For::runner},
    {"vfork", EPERM, When::always, For::runner},
    {"execve", EPERM, When::always, For::runner},
    {"execveat", EPERM, When::always, For::runner},
    {"socket", EPERM, When::always, For::both},
    {"socketpair", EPERM, When::always, For::runner},
    {"connect", EPERM, When::always, For::both},
    {"bind", EPERM, When::always, For::both},
    {"listen", EPERM, When::always, For::both},
    {"accept", EPERM, When::always, For::both},
    {"accept4", EPERM, When::always, For::both},
    {"mmap", EPERM, When::maps_shared, For::runner},
    {"memfd_create", EPERM, When::always, For::runner},
    {"memfd_secret", EPERM, When::always, For::both},
    {"shmget", EPERM, When::always, For::both},
    {"shmat", EPERM, When::always, For::both},
    {"semget", EPERM, When::always, For::both},
    {"msgget", EPERM, When::always, For::both},
    {"mq_open", EPERM, When::always, For::both},
    {"kill", EPERM, When::names_other, For::runner},
    {"tgkill", EPERM, When::names_other, For::runner},
    {"tkill", EPERM, When::always, For::runner},
    {"rt_sigqueueinfo", EPERM, When::names_other, For::runner},
    {"rt_tgsigqueueinfo", EPERM, When::names_other, For::runner},
    {"pidfd_open", EPERM, When::always, For::runner},
    {"pidfd_send_signal", EPERM, When::always, For::runner},
    {"pidfd_getfd", EPERM, When::always, For::both},
    {"prlimit64", EPERM, When::names_by_pid, For::runner},
    {"sched_setaffinity", 0, When::always, For::runner},
    {"sched_setscheduler", EPERM, When::always, For::runner},
    {"sched_setattr", EPERM, When::always, For::runner},
    {"seccomp", EPERM, When::always, For::both},
    {"prctl", EPERM, When::installs_filter, For::both},
    {"ptrace", EPERM, When::always, For::both},
    {"process_vm_readv", EPERM, When::always, For::both},
    {"process_vm_writev", EPERM, When::always, For::both},
    {"process_madvise", EPERM, When::always, For::both},
    {"kcmp", EPERM, When::always, For::both},
    {"io_uring_setup", EPERM, When::always, For::both},
    {"io_uring_enter", EPERM, When::always, For::both},
    {"io_uring_register", EPERM, When::always, For::both},
    {"perf_event_open", EPERM, When::always, For::both},
    {"userfaultfd", EPERM, When::always, For::both},
    {"bpf", EPERM, When::always, For::both},
    {"keyctl", EPERM, When::always, For::both},
    {"add_key", EPERM, When::always, For::both},
    {"request_key", EPERM, When::always, For::both},
    {"mount", EPERM, When::always, For::both},
    {"umount2", EPERM, When::always, For::both},
    {"pivot_root", EPERM, When::always, For::both},
    {"chroot", EPERM, When::always, For::both},
    {"open_tree", EPERM, When::always, For::both},
    {"move_mount", EPERM, When::always, For::both},
    {"fsopen", EPERM, When::always, For::both},
    {"fsmount", EPERM, When::always, For::both},
    {"mount_setattr", EPERM, When::always, For::both},
    {"unshare", EPERM, When::always, For::both},
    {"setns", EPERM, When::always, For::both},
};

constexpr uint64_t k_namespace_flags[] = {CLONE_NEWNS,  CLONE_NEWUTS, CLONE_NEWIPC,   CLONE_NEWUSER,
                                          CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWCGROUP};

bool concerns(const Rule& rule, Rules rules) {
  return rule.set == For::both || (rule.set == For::build) == (rules == Rules::build);
}

struct Release {
  void operator()(void* context) const { seccomp_release(context); }
};
using Context = std::unique_ptr<void, Release>;

class Compiler {
 public:
  Compiler(Context& context, Threads threads) : context_(context.get()), threads_(threads) {}

  int add(const Rule& rule) {
    const int call = seccomp_syscall_resolve_name(rule.call);
    if (call == __NR_SCMP_ERROR) return -EINVAL;
    const uint32_t action = SCMP_ACT_ERRNO(static_cast<uint32_t>(rule.answers));
    switch (rule.when) {
      case When::always:
        return unconditional(action, call);
      case When::makes_process:
        if (threads_ == Threads::one) return unconditional(action, call);
        return when(action, call, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
      case When::makes_namespace:
        return any_namespace(action, call);
      case When::maps_shared:
        return when(action, call, SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS));
      case When::installs_filter:
        return when(action, call, SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP));
      case When::names_other:
        return when(action, call, SCMP_A0(SCMP_CMP_NE, self()));
      case When::names_by_pid:
        return when(action, call, SCMP_A0(SCMP_CMP_GT, 0));
    }
    return -EINVAL;
  }

 private:
  static uint64_t self() { return static_cast<uint64_t>(getpid()); }
  int unconditional(uint32_t action, int call) { return seccomp_rule_add_array(context_, action, call, 0, nullptr); }
  int when(uint32_t action, int call, scmp_arg_cmp condition) {
    return seccomp_rule_add_array(context_, action, call, 1, &condition);
  }
  int any_namespace(uint32_t action, int call) {
    for (const uint64_t flag : k_namespace_flags) {
      if (const int failed = when(action, call, SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag)); failed != 0) return failed;
    }
    return 0;
  }

  void* context_;
  Threads threads_;
};

Error filter_error(std::string_view what, int error_number) {
  return Error{ErrorCode::internal, fmt::format("{}: {}", what, strerror(error_number))};
}

// libseccomp writes the compiled program to a descriptor; it is read back so that a child can install it without
// allocating.
Result<Filter> export_filter(const Context& context) {
  const Fd file(memfd_create("hone-filter", MFD_CLOEXEC));
  if (!file) return filter_error("cannot hold a system-call filter", errno);
  if (const int failed = seccomp_export_bpf(context.get(), file.get()); failed != 0)
    return filter_error("cannot compile a system-call filter", -failed);
  const off_t size = lseek(file.get(), 0, SEEK_END);
  Filter filter(static_cast<size_t>(size) / sizeof(sock_filter));
  if (pread(file.get(), filter.data(), static_cast<size_t>(size), 0) != size)
    return filter_error("cannot read a system-call filter back", EIO);
  return filter;
}

}  // namespace

Result<Filter> make_filter(Rules rules, Threads threads) {
  Context context(seccomp_init(SCMP_ACT_ALLOW));
  if (!context) return filter_error("cannot start a system-call filter", ENOMEM);
  Compiler compiler(context, threads);
  for (const Rule& rule : k_rules) {
    if (!concerns(rule, rules)) continue;
    if (const int failed = compiler.add(rule); failed != 0)
      return filter_error(fmt::format("cannot add the system-call rule for {}", rule.call), -failed);
  }
  return export_filter(context);
}

int install_filter(const Filter& filter) {
  sock_fprog program{static_cast<unsigned short>(filter.size()), const_cast<sock_filter*>(filter.data())};
  // SPEC_ALLOW: older kernels switch speculation off for filtered processes, which would slow every candidate down.
  const long failed = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
  return failed == 0 ? 0 : errno;
}

std::vector<std::string_view> ruled_calls(Rules rules) {
  std::vector<std::string_view> calls;
  for (const Rule& rule : k_rules) {
    if (concerns(rule, rules)) calls.emplace_back(rule.call);
  }
  return calls;
}

}  // namespace hone::sandbox
