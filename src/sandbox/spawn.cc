#include "sandbox/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "base/crash.h"
#include "base/disk.h"
#include "base/process.h"
#include "base/text.h"
#include "sandbox/child_calls.h"
#include "sandbox/child_setup.h"

namespace hone::sandbox {

namespace {

// Longer than any kernel takes to tear a killed tree down; only a process stuck in a driver outlives it.
constexpr Nanoseconds k_reap_patience = std::chrono::seconds(10);

// Between two looks at a tree that is being torn down.
constexpr Nanoseconds k_glance = std::chrono::microseconds(200);

constexpr idtype_t k_by_pidfd = static_cast<idtype_t>(P_PIDFD);

struct Started {
  pid_t pid = -1;
  Fd pidfd;
  std::optional<Report> failed;  // before exec
};

// Blocks until the child has started its program or said what went wrong.
std::optional<Report> read_report(const Fd& pipe) {
  Report report;
  ssize_t got = 0;
  do {
    got = read(pipe.get(), &report, sizeof report);
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof report) ? std::optional(report) : std::nullopt;
}

void reap(const Fd& pidfd) {
  siginfo_t info{};
  while (waitid(k_by_pidfd, static_cast<id_t>(pidfd.get()), &info, WEXITED) != 0 && errno == EINTR) {
  }
}

Error clone_error(int error_number) {
  return Error{ErrorCode::environment, fmt::format("cannot start a confined process: {}", strerror(error_number))};
}

// Into its control group from its first instruction, where there is one; containers may refuse clone3 and allow clone.
long clone_child(const ChildPlan& plan, int& pidfd) {
  const uint64_t flags = clone_flags(plan.layers) | CLONE_PIDFD;
  if (!plan.group) return syscall(SYS_clone, flags | SIGCHLD, 0, &pidfd, 0, 0);
  clone_args arguments{};
  arguments.flags = flags | CLONE_INTO_CGROUP;
  arguments.pidfd = reinterpret_cast<uint64_t>(&pidfd);
  arguments.exit_signal = SIGCHLD;
  arguments.cgroup = static_cast<uint64_t>(plan.group->folder().get());
  return syscall(SYS_clone3, &arguments, sizeof arguments);
}

// One at a time: a child that another thread starts meanwhile would hold this pipe's ends until its own program begins,
// and the death of this process in between would go unnoticed.
Result<Started> start(const ChildPlan& plan) {
  static std::mutex one_at_a_time;
  const std::scoped_lock held(one_at_a_time);
  HONE_TRY(Pipe pipe, make_pipe());
  int pidfd = -1;
  if (!plan.layers.has(Layer::pid_namespace)) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const long pid = clone_child(plan, pidfd);
  if (pid < 0) return clone_error(errno);
  if (pid == 0) {
    // Only the parent may hold the reading end: its death is then seen as an error on ours.
    child::close(pipe.read_end.get());
    run_child(plan, pipe.write_end.get());
  }
  pipe.write_end.reset();
  Started started{static_cast<pid_t>(pid), Fd(pidfd), read_report(pipe.read_end)};
  if (started.failed) reap(started.pidfd);
  return started;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

Result<Fd> open_null() {
  Fd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null) return io_error("open", "/dev/null", errno);
  return null;
}

Status plan_descriptors(ChildPlan& plan, const Confinement& confinement) {
  HONE_TRY(plan.null, open_null());
  const int null = plan.null.get();
  plan.descriptors = {null, confinement.output < 0 ? null : confinement.output,
                      confinement.errors < 0 ? null : confinement.errors};
  plan.descriptors.insert(plan.descriptors.end(), confinement.descriptors.begin(), confinement.descriptors.end());
  return ok();
}

// Where the child may keep temporary files: its own /tmp, else a folder that it was lent and that its owner cleans up.
std::optional<std::string> scratch_of(const Confinement& confinement, LayerSet layers, const ProfileRow& row) {
  if (!row.tmp_bytes) return std::nullopt;
  if (layers.has(Layer::mount_namespace)) return "/tmp";
  for (const Mount& mount : confinement.mounts) {
    if (mount.access == Access::read_write) return mount.path.string();
  }
  return std::nullopt;
}

Status plan_program(ChildPlan& plan, const Confinement& confinement) {
  plan.argv = confinement.argv;
  auto environment = confinement.environment;
  if (const auto scratch = scratch_of(confinement, plan.layers, row_of(confinement.profile)))
    environment["TMPDIR"] = *scratch;
  for (const auto& [name, value] : environment) plan.environment.push_back(name + "=" + value);
  plan.argv_pointers = pointers(plan.argv);
  plan.environment_pointers = pointers(plan.environment);
  plan.folder = confinement.folder.string();
  if (confinement.program) {
    plan.program = confinement.program->string();
    return ok();
  }
  plan.executable.reset(open("/proc/self/exe", O_PATH | O_CLOEXEC));
  if (!plan.executable) return io_error("open", "/proc/self/exe", errno);
  return ok();
}

// Compiled once per process: it takes half a millisecond, and every compiler gets the same.
Result<Filter> spawned_filter(Rules rules) {
  static const auto build = make_filter(Rules::build, Threads::many);
  return rules == Rules::build ? build : make_filter(rules, Threads::many);
}

Status plan_group(ChildPlan& plan) {
  if (!plan.layers.has(Layer::control_group)) return ok();
  HONE_TRY(ControlGroup group, ControlGroup::make(*group_home(), plan.limits));
  plan.group = std::make_unique<ControlGroup>(std::move(group));
  return ok();
}

std::vector<PrivateFolder> private_folders(const ProfileRow& row) {
  std::vector<PrivateFolder> folders;
  if (row.tmp_bytes) folders.push_back({"/tmp", *row.tmp_bytes});
  if (row.shared_bytes) folders.push_back({"/dev/shm", *row.shared_bytes});
  return folders;
}

Status check_needs(const ProfileRow& row, LayerSet layers) {
  const LayerSet granted = row.needs & layers;
  if (granted == row.needs) return ok();
  return Error{ErrorCode::environment,
               fmt::format("a {} process needs {}, and this machine grants {}", name_of(row.profile),
                           join(names(row.needs), ", "), granted == LayerSet() ? "none" : join(names(granted), ", "))};
}

Result<ChildPlan> make_plan(const Confinement& confinement, LayerSet layers) {
  const ProfileRow& row = row_of(confinement.profile);
  HONE_CHECK(check_needs(row, layers));
  ChildPlan plan;
  plan.layers = layers & row.layers;
  plan.uid = geteuid();
  plan.gid = getegid();
  plan.other_user = other_user();
  plan.cores = confinement.cores;
  plan.limits = row.limits;
  plan.network = row.network;
  if (confinement.address_space_bytes) plan.limits.address_space_bytes = confinement.address_space_bytes;
  HONE_TRY(plan.root, plan_root(confinement.mounts, confinement.system, private_folders(row)));
  if (plan.layers.has(Layer::landlock))
    plan.landlock = plan_landlock(landlock_abi(), plan.layers, plan.root, row.own_proc, row.network);
  HONE_CHECK(plan_group(plan));
  HONE_CHECK(plan_descriptors(plan, confinement));
  HONE_CHECK(plan_program(plan, confinement));
  if (!k_limits_address_space && !confinement.program) plan.limits.address_space_bytes.reset();
  if (row.filter == FilterInstalledBy::spawn) {
    HONE_TRY(plan.filter, spawned_filter(row.rules));
  }
  return plan;
}

// ---- which layers this machine grants ----

struct BlameRow {
  Step step;
  Layer layer;
};

// The layer to do without when a step is refused.
constexpr BlameRow k_blame[] = {{Step::identity, Layer::user_namespace},
                                {Step::root, Layer::mount_namespace},
                                {Step::seal, Layer::mount_namespace},
                                {Step::proc, Layer::own_proc},
                                {Step::limits, Layer::resource_limits},
                                {Step::user, Layer::other_user},
                                {Step::privileges, Layer::no_new_privileges},
                                {Step::landlock, Layer::landlock},
                                {Step::filter, Layer::seccomp}};

std::optional<Layer> layer_to_blame(Step step) {
  for (const BlameRow& row : k_blame) {
    if (row.step == step) return row.layer;
  }
  return std::nullopt;
}

// Confines a child that does nothing. Outer nothing: clone itself was refused.
Result<std::optional<Report>> probe(LayerSet layers) {
  HONE_TRY(ChildPlan plan, make_plan({.argv = {"probe"}}, layers));
  plan.then = Then::exit;
  HONE_TRY(const Started started, start(plan));
  if (!started.failed) reap(started.pidfd);
  return started.failed;
}

// Keeps the namespaces that clone grants one by one, each together with the user namespace if that is in the set.
LayerSet granted_one_by_one(LayerSet wanted) {
  LayerSet granted = wanted;
  for (const Layer layer : {Layer::user_namespace, Layer::pid_namespace, Layer::mount_namespace,
                            Layer::network_namespace, Layer::ipc_namespace}) {
    const LayerSet base = granted.has(Layer::user_namespace) ? LayerSet{Layer::user_namespace} : LayerSet{};
    if (granted.has(layer) && !probe(base.with(layer))) granted = granted.without(layer);
  }
  return granted;
}

// Everything but the groups, which are looked for last.
LayerSet all_but_groups() {
  const LayerSet all = LayerSet::all().without(Layer::control_group).without(Layer::group_limits);
  return landlock_abi() > 0 ? all : all.without(Layer::landlock);
}

LayerSet with_groups(LayerSet layers) {
  if (!group_home()) return layers;
  const LayerSet wanted = layers.with(Layer::control_group);
  const auto refused = probe(wanted);
  if (!refused || *refused) return layers;
  return group_home()->limits ? wanted.with(Layer::group_limits) : wanted;
}

LayerSet detect_layers() {
  // Root needs no user namespace, and an ordinary user cannot become somebody else.
  const bool root = geteuid() == 0;
  LayerSet layers = all_but_groups().without(root ? Layer::user_namespace : Layer::other_user);
  // A container's root may lack the privilege for plain namespaces and yet be allowed to make them as a user.
  if (root && !probe(layers)) layers = all_but_groups().without(Layer::other_user);
  if (!probe(layers)) layers = granted_one_by_one(layers);
  for (size_t i = 0; i < std::size(k_blame); ++i) {
    const auto refused = probe(layers);
    if (!refused || !*refused) break;
    const auto layer = layer_to_blame((*refused)->step);
    if (!layer) break;
    layers = layers.without(*layer);
  }
  // A /proc without its own root or its own processes would be the machine's.
  const bool proc_is_own = layers.has(Layer::mount_namespace) && layers.has(Layer::pid_namespace);
  return with_groups(proc_is_own ? layers : layers.without(Layer::own_proc));
}

Error step_error(const Report& report, const Confinement& confinement) {
  const std::string what = confinement.program ? confinement.program->string() : std::string("hone itself");
  return Error{ErrorCode::environment, fmt::format("cannot confine {}: {} failed: {}", what, name_of(report.step),
                                                   strerror(report.error_number))};
}

Ending ending_of(const siginfo_t& info) {
  return {info.si_code == CLD_EXITED ? Ending::How::exited : Ending::How::signalled, info.si_status};
}

// One waitid on the child; nothing when no event of the kind is there.
std::optional<siginfo_t> wait_event(const Fd& pidfd, int options) {
  siginfo_t info{};
  int failed = 0;
  do {
    failed = waitid(k_by_pidfd, static_cast<id_t>(pidfd.get()), &info, options);
  } while (failed != 0 && errno == EINTR);
  return failed == 0 && info.si_pid != 0 ? std::optional(info) : std::nullopt;
}

bool becomes_readable(const Fd& fd, Nanoseconds timeout) {
  const Nanoseconds until = SystemClock().now() + timeout;
  pollfd waiting{fd.get(), POLLIN, 0};
  while (true) {
    const Nanoseconds left = std::max(until - SystemClock().now(), Nanoseconds(0));
    const timespec span{left.count() / 1'000'000'000, left.count() % 1'000'000'000};
    if (ppoll(&waiting, 1, &span, nullptr) > 0) return true;
    if (left.count() == 0) return false;
  }
}

// Kills what is left of a tree whose first process has ended, and reaps it: without its parents it is ours. The number
// of a process group is not used again while somebody is in it.
void end_process_group(pid_t group) {
  const SystemClock clock;
  const Nanoseconds until = clock.now() + k_reap_patience;
  while (kill(-group, SIGKILL) == 0 && clock.now() < until) {
    siginfo_t info{};
    while (waitid(P_PGID, static_cast<id_t>(group), &info, WEXITED | WNOHANG) == 0 && info.si_pid != 0) info = {};
    std::this_thread::sleep_for(k_glance);
  }
}

}  // namespace

LayerSet available_layers() {
  static const LayerSet layers = detect_layers();
  return layers;
}

Result<Child> spawn(const Confinement& confinement) {
  HONE_TRY(ChildPlan plan, make_plan(confinement, available_layers()));
  crash_point("before spawn");
  HONE_TRY(Started started, start(plan));
  crash_point("after spawn");
  if (started.failed) return step_error(*started.failed, confinement);
  return Child(started.pid, std::move(started.pidfd), plan.layers, std::move(plan.group));
}

Status give_to_confined(const std::filesystem::path& folder) {
  if (!available_layers().has(Layer::other_user)) return ok();
  if (chown(folder.c_str(), other_user(), other_user()) != 0) return io_error("give away", folder, errno);
  std::error_code error;
  using Walk = std::filesystem::recursive_directory_iterator;
  for (Walk walk(folder, error), end; !error && walk != end; walk.increment(error)) {
    if (lchown(walk->path().c_str(), other_user(), other_user()) != 0)
      return io_error("give away", walk->path(), errno);
  }
  return ok();
}

Child::Child(pid_t pid, Fd pidfd, LayerSet layers, std::unique_ptr<ControlGroup> group)
    : pid_(pid), pidfd_(std::move(pidfd)), layers_(layers), group_(std::move(group)) {}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::move(other.pidfd_)),
      layers_(other.layers_),
      group_(std::move(other.group_)),
      ending_(other.ending_) {}

Child& Child::operator=(Child&& other) noexcept {
  if (this == &other) return *this;
  end();
  pid_ = std::exchange(other.pid_, -1);
  pidfd_ = std::move(other.pidfd_);
  layers_ = other.layers_;
  group_ = std::move(other.group_);
  ending_ = other.ending_;
  return *this;
}

Child::~Child() { end(); }

void Child::end() {
  if (!pidfd_ || pid_ < 0) return;
  if (!ending_) {
    kill();
    wait(k_reap_patience);
  }
  group_.reset();
  pid_ = -1;
}

// The death of a pid namespace's first process takes the rest along; without one, the control group and the process
// group do.
void Child::kill() {
  if (ending_ || !pidfd_) return;
  if (group_) group_->kill();
  if (!layers_.has(Layer::pid_namespace)) ::kill(-pid_, SIGKILL);
  signal_pidfd(pidfd_, SIGKILL);
}

// Whatever outlives the first process of a tree is a leftover.
std::optional<Ending> Child::remember(Ending ending) {
  ending_ = ending;
  if (!layers_.has(Layer::pid_namespace)) end_process_group(pid_);
  return ending_;
}

std::optional<Ending> Child::wait(Nanoseconds timeout) {
  if (ending_ || !pidfd_) return ending_;
  if (!becomes_readable(pidfd_, timeout)) return std::nullopt;
  const auto info = wait_event(pidfd_, WEXITED | WNOHANG);
  return info ? remember(ending_of(*info)) : std::nullopt;
}

std::optional<Ending> Child::freeze() {
  if (ending_) return ending_;
  signal_pidfd(pidfd_, SIGSTOP);
  const auto info = wait_event(pidfd_, WSTOPPED | WEXITED);
  return info && info->si_code != CLD_STOPPED ? remember(ending_of(*info)) : std::nullopt;
}

void Child::thaw() { signal_pidfd(pidfd_, SIGCONT); }

}  // namespace hone::sandbox
