#include "device/cuda/clock_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

#include <array>

#include "base/json.h"
#include "base/process.h"

namespace hone::device::cuda {

// ---- the lock ----

Result<ClockLock> ClockLock::take(const NvmlLibrary& nvml, NvmlDevice device, uint32_t sm_mhz) {
  if (nvml.device_set_gpu_locked_clocks == nullptr || nvml.device_reset_gpu_locked_clocks == nullptr ||
      nvml.device_get_throttle_reasons == nullptr)
    return Error{ErrorCode::environment, "this driver cannot lock a device's clocks"};
  unsigned long long reasons = 0;
  HONE_CHECK(nvml.check(nvml.device_get_throttle_reasons(device, &reasons), "ask what holds the clocks back"));
  if ((reasons & k_throttle_user_clocks) != 0)
    return Error{ErrorCode::environment,
                 "somebody limits the device's clocks already, and that could not be restored",
                 {},
                 {},
                 "nvidia-smi -rgc and -rac take limits off"};
  auto locked = nvml.check(nvml.device_set_gpu_locked_clocks(device, sm_mhz, sm_mhz), "lock the device's clocks");
  if (locked) return ClockLock(nvml, device);
  locked.error().help = "locking clocks is root's";
  return locked.error();
}

ClockLock::~ClockLock() {
  if (nvml_ != nullptr) nvml_->device_reset_gpu_locked_clocks(device_);
}

namespace {

// ---- between owner and child: a HoldRequest, then one HoldAnswer, each a packet of JSON ----

constexpr int k_socket = 3;
constexpr size_t k_most_packet_bytes = 64 << 10;

struct HoldAnswer {
  std::string failure;  // empty: the clocks are locked
  std::string help;
  uint32_t sm_mhz = 0;
};

template <class A>
void describe(A& a, HoldAnswer& v) {
  a.field("failure", v.failure);
  a.field("help", v.help);
  a.field("sm_mhz", v.sm_mhz);
}

template <class T>
Status send_packet(int socket, const T& document) {
  const std::string text = json::to_text(document);
  if (send(socket, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size())) return ok();
  return Error{ErrorCode::io, fmt::format("cannot speak with who holds the clocks: {}", strerror(errno))};
}

template <class T>
Result<T> receive_packet(int socket) {
  std::string text(k_most_packet_bytes, '\0');
  ssize_t got = -1;
  do {
    got = recv(socket, text.data(), text.size(), 0);
  } while (got < 0 && errno == EINTR);
  if (got <= 0) return Error{ErrorCode::environment, "the process that locks clocks ended before it answered"};
  text.resize(static_cast<size_t>(got));
  return json::from_text<T>(text);
}

// ---- the child ----

// Signals that would end this process can be read instead.
Fd catch_endings() {
  sigset_t endings;
  sigemptyset(&endings);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&endings, number);
  sigprocmask(SIG_BLOCK, &endings, nullptr);
  return Fd(signalfd(-1, &endings, SFD_CLOEXEC));
}

void wait_for_an_end(const Fd& signals) {
  std::array<pollfd, 2> ends{pollfd{k_socket, POLLIN, 0}, pollfd{signals.get(), POLLIN, 0}};
  while (poll(ends.data(), ends.size(), -1) < 0 && errno == EINTR) {
  }
}

Status hold(const HoldRequest& request, const Fd& signals) {
  HONE_TRY(const NvmlLibrary nvml, NvmlLibrary::start(request.library));
  const auto found = nvml.find(request.uuid);
  if (!found) return Error{ErrorCode::environment, fmt::format("NVML knows no device {}", request.uuid)};
  uint32_t sm_mhz = request.sm_mhz;
  if (sm_mhz == 0)
    HONE_CHECK(nvml.check(nvml.device_get_max_clock(found->device, NvmlClock::sm, &sm_mhz), "read the highest clock"));
  HONE_TRY(const ClockLock lock, ClockLock::take(nvml, found->device, sm_mhz));
  HONE_CHECK(send_packet(k_socket, HoldAnswer{"", "", sm_mhz}));
  wait_for_an_end(signals);
  return ok();
}

// ---- the owner ----

// A session of its own: Ctrl-C reaches hone, which decides what becomes of the lock.
Result<pid_t> spawn_holder(int socket) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, socket, k_socket);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  std::string role(k_hold_clocks_role);
  std::array<char*, 3> argv{const_cast<char*>("hone"), role.data(), nullptr};
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    return Error{ErrorCode::io, fmt::format("cannot start the process that locks clocks: {}", strerror(failed))};
  return pid;
}

// Longer than NVML ever takes. A child that is slower is left to it: killed, it would leave the clocks locked.
constexpr Nanoseconds k_restoring_patience = std::chrono::seconds(10);

}  // namespace

int hold_clocks_main() {
  const Fd signals = catch_endings();
  const auto request = receive_packet<HoldRequest>(k_socket);
  if (!request) return 1;
  const Status held = hold(*request, signals);
  if (!held) std::ignore = send_packet(k_socket, HoldAnswer{held.error().what, held.error().help, 0});
  return held ? 0 : 1;
}

Result<std::unique_ptr<HeldClocks>> HeldClocks::start(const HoldRequest& request) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{ErrorCode::io, fmt::format("cannot make a socket: {}", strerror(errno))};
  Fd ours(ends[0]);
  Fd theirs(ends[1]);
  // dup2 onto the same number would keep close-on-exec.
  if (theirs.get() == k_socket) theirs.reset(fcntl(theirs.release(), F_DUPFD_CLOEXEC, 10));
  HONE_CHECK(send_packet(ours.get(), request));
  HONE_TRY(const pid_t pid, spawn_holder(theirs.get()));
  theirs.reset();
  std::unique_ptr<HeldClocks> held(new HeldClocks(std::move(ours), open_pidfd(pid)));
  HONE_TRY(const HoldAnswer answer, receive_packet<HoldAnswer>(held->socket_.get()));
  if (!answer.failure.empty()) return Error{ErrorCode::environment, answer.failure, {}, {}, answer.help};
  held->sm_mhz_ = answer.sm_mhz;
  return held;
}

HeldClocks::~HeldClocks() {
  socket_.reset();
  wait_pidfd(child_, k_restoring_patience);
}

}  // namespace hone::device::cuda
