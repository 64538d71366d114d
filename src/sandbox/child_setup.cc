#include "sandbox/child_setup.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "sandbox/child_calls.h"

namespace hone::sandbox {

namespace {

// Where the child keeps what it still needs after its descriptors have been arranged.
struct Kept {
  int report = -1;
  int executable = -1;
};

int ok_or_errno(long result) { return result < 0 ? errno : 0; }

int write_text(const char* path, const char* text) {
  const int fd = child::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  const int failed = ok_or_errno(child::write(fd, text, strlen(text)));
  child::close(fd);
  return failed;
}

int map_identity(const char* path, unsigned id) {
  char line[64];
  snprintf(line, sizeof line, "%u %u 1\n", id, id);
  return write_text(path, line);
}

// The same numbers inside as outside, and no others. The parent may be undumpable, which would hide these files from
// itself.
int take_identity(const ChildPlan& plan, Kept&) {
  if (!plan.layers.has(Layer::user_namespace)) return 0;
  child::control(PR_SET_DUMPABLE, 1);
  if (const int failed = write_text("/proc/self/setgroups", "deny"); failed != 0) return failed;
  if (const int failed = map_identity("/proc/self/uid_map", plan.uid); failed != 0) return failed;
  return map_identity("/proc/self/gid_map", plan.gid);
}

// A file that grows past its limit is an error to its writer, not a death.
void reset_signals() {
  for (int number = 1; number < NSIG; ++number) child::set_signal(number, SIG_DFL);
  child::set_signal(SIGXFSZ, SIG_IGN);
  child::unblock_signals();
}

int start_session(const ChildPlan&, Kept&) {
  reset_signals();
  umask(022);
  return ok_or_errno(setsid());
}

// A new network's loopback sleeps. What cannot be woken is missed by who needs it.
int wake_loopback(const ChildPlan& plan, Kept&) {
  if (plan.network != Network::own_loopback || !plan.layers.has(Layer::network_namespace)) return 0;
  const int asking = child::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC);
  if (asking < 0) return 0;
  ifreq interface {};
  memcpy(interface.ifr_name, "lo", 3);
  interface.ifr_flags = IFF_UP | IFF_LOOPBACK | IFF_RUNNING;
  syscall(SYS_ioctl, asking, SIOCSIFFLAGS, &interface);
  child::close(asking);
  return 0;
}

// First all copies above every target, so that no target overwrites a source that is still needed; then into place.
int arrange_descriptors(const ChildPlan& plan, Kept& kept) {
  const int count = static_cast<int>(plan.descriptors.size());
  const int lowest_copy = count + 2;
  int copies[1024];
  if (count > 1000) return EMFILE;
  for (int i = 0; i < count; ++i) {
    copies[i] = fcntl(plan.descriptors[static_cast<size_t>(i)], F_DUPFD_CLOEXEC, lowest_copy);
    if (copies[i] < 0) return errno;
  }
  const int report = fcntl(kept.report, F_DUPFD_CLOEXEC, lowest_copy);
  const int executable = plan.executable ? fcntl(plan.executable.get(), F_DUPFD_CLOEXEC, lowest_copy) : -1;
  for (int i = 0; i < count; ++i) {
    if (child::duplicate(copies[i], i, 0) < 0) return errno;
  }
  if (child::duplicate(report, count, O_CLOEXEC) < 0) return errno;
  if (executable >= 0 && child::duplicate(executable, count + 1, O_CLOEXEC) < 0) return errno;
  kept = {count, executable >= 0 ? count + 1 : -1};
  const int first_unwanted = executable >= 0 ? count + 2 : count + 1;
  return ok_or_errno(syscall(SYS_close_range, first_unwanted, ~0u, 0));
}

int enter_root(const ChildPlan& plan, Kept&) {
  return plan.layers.has(Layer::mount_namespace) ? build_root(plan.root) : 0;
}

int enter_proc(const ChildPlan& plan, Kept&) { return plan.layers.has(Layer::own_proc) ? mount_proc() : 0; }

int leave_old_root(const ChildPlan& plan, Kept&) { return plan.layers.has(Layer::mount_namespace) ? seal_root() : 0; }

int pin(const ChildPlan& plan, Kept&) {
  if (plan.cores.empty()) return 0;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : plan.cores) CPU_SET(static_cast<size_t>(core), &set);
  return ok_or_errno(sched_setaffinity(0, sizeof set, &set));
}

// Both limits, and never above the hard limit we have: raising needs a privilege that containers lack.
int limit(int resource, uint64_t value) {
  rlimit now{};
  const auto which = static_cast<__rlimit_resource_t>(resource);
  if (getrlimit(which, &now) != 0) return errno;
  const rlim_t bounded = std::min<rlim_t>(value, now.rlim_max);
  const rlimit wanted{bounded, bounded};
  return ok_or_errno(setrlimit(which, &wanted));
}

// The number of processes is counted per user; without an identity of its own a child would be charged for the user's
// desktop.
bool counts_alone(const ChildPlan& plan) {
  return plan.layers.has(Layer::user_namespace) || plan.layers.has(Layer::other_user);
}

int set_limits(const ChildPlan& plan, Kept&) {
  if (!plan.layers.has(Layer::resource_limits)) return 0;
  const Limits& limits = plan.limits;
  int failed = limit(RLIMIT_CORE, 0);
  if (failed == 0 && limits.address_space_bytes) failed = limit(RLIMIT_AS, *limits.address_space_bytes);
  if (failed == 0) failed = limit(RLIMIT_CPU, limits.cpu_seconds);
  if (failed == 0) failed = limit(RLIMIT_FSIZE, limits.file_bytes);
  if (failed == 0) failed = limit(RLIMIT_NOFILE, limits.open_files);
  if (failed == 0 && counts_alone(plan)) failed = limit(RLIMIT_NPROC, limits.processes);
  return failed;
}

int change_user(const ChildPlan& plan, Kept&) {
  if (!plan.layers.has(Layer::other_user)) return 0;
  // Straight to the kernel: libc's versions would try to tell threads that this copy does not have.
  if (syscall(SYS_setgroups, 0, nullptr) != 0) return errno;
  const uid_t user = plan.other_user;
  if (syscall(SYS_setresgid, user, user, user) != 0) return errno;
  return ok_or_errno(syscall(SYS_setresuid, user, user, user));
}

int give_up_privileges(const ChildPlan& plan, Kept&) {
  for (unsigned long capability = 0; capability < 64; ++capability) child::control(PR_CAPBSET_DROP, capability);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct nothing[2] = {};
  if (syscall(SYS_capset, &header, nothing) != 0) return errno;
  if (!plan.layers.has(Layer::no_new_privileges)) return 0;
  return ok_or_errno(child::control(PR_SET_NO_NEW_PRIVS, 1));
}

int close_the_rest(const ChildPlan& plan, Kept& kept) {
  return plan.layers.has(Layer::landlock) ? enter_landlock(plan.landlock, kept.executable) : 0;
}

// After every change of identity, which would clear the death signal. A parent that died before is seen by its end of
// the pipe.
int tie_to_parent(const ChildPlan&, Kept& kept) {
  if (child::control(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
  if (child::control(PR_SET_DUMPABLE, 0) != 0) return errno;
  pollfd parent{kept.report, 0, 0};
  return child::poll_now(parent) > 0 && (parent.revents & POLLERR) != 0 ? EPIPE : 0;
}

int filter_calls(const ChildPlan& plan, Kept&) {
  return plan.filter.empty() || !plan.layers.has(Layer::seccomp) ? 0 : install_filter(plan.filter);
}

int enter_folder(const ChildPlan& plan, Kept&) { return ok_or_errno(chdir(plan.folder.c_str())); }

int start_program(const ChildPlan& plan, Kept& kept) {
  if (plan.then == Then::exit) _exit(0);
  char* const* argv = plan.argv_pointers.data();
  char* const* environment = plan.environment_pointers.data();
  if (kept.executable >= 0) {
    syscall(SYS_execveat, kept.executable, "", argv, environment, AT_EMPTY_PATH);
  } else {
    execve(plan.program.c_str(), argv, environment);
  }
  return errno;
}

struct StepRow {
  Step step;
  int (*act)(const ChildPlan&, Kept&);
};

// The order matters: descriptors before the root changes, cores and limits before the user does, privileges before
// landlock, the filter last.
constexpr StepRow k_steps[] = {
    {Step::identity, take_identity},
    {Step::session, start_session},
    {Step::loopback, wake_loopback},
    {Step::descriptors, arrange_descriptors},
    {Step::root, enter_root},
    {Step::proc, enter_proc},
    {Step::seal, leave_old_root},
    {Step::cores, pin},
    {Step::limits, set_limits},
    {Step::user, change_user},
    {Step::privileges, give_up_privileges},
    {Step::landlock, close_the_rest},
    {Step::leash, tie_to_parent},
    {Step::folder, enter_folder},
    {Step::filter, filter_calls},
    {Step::exec, start_program},
};

struct FlagRow {
  Layer layer;
  unsigned long flag;
};

constexpr FlagRow k_flags[] = {{Layer::user_namespace, CLONE_NEWUSER},
                               {Layer::pid_namespace, CLONE_NEWPID},
                               {Layer::mount_namespace, CLONE_NEWNS},
                               {Layer::network_namespace, CLONE_NEWNET},
                               {Layer::ipc_namespace, CLONE_NEWIPC}};

}  // namespace

namespace {

constexpr uid_t k_nobody = 65534;
constexpr uid_t k_first_free_user = 60578;
constexpr uid_t k_free_users = 606;  // to 61183

// Lines of "first, first outside, how many".
bool is_mapped(const char* map, uid_t user) {
  std::ifstream lines(map);
  for (uint64_t first = 0, outside = 0, count = 0; lines >> first >> outside >> count;) {
    if (user >= first && user - first < count) return true;
  }
  return false;
}

}  // namespace

uid_t other_user() {
  static const uid_t user = [] {
    const uid_t own = k_first_free_user + static_cast<uid_t>(getpid()) % k_free_users;
    return is_mapped("/proc/self/uid_map", own) && is_mapped("/proc/self/gid_map", own) ? own : k_nobody;
  }();
  return user;
}

unsigned long clone_flags(LayerSet layers) {
  unsigned long flags = 0;
  for (const FlagRow& row : k_flags) flags |= layers.has(row.layer) ? row.flag : 0;
  return flags;
}

void run_child(const ChildPlan& plan, int report) {
  Kept kept{report, -1};
  for (const StepRow& row : k_steps) {
    const Report failed{row.step, row.act(plan, kept)};
    if (failed.error_number == 0) continue;
    std::ignore = child::write(kept.report, &failed, sizeof failed);
    _exit(127);
  }
  _exit(127);
}

}  // namespace hone::sandbox
