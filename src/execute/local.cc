#include "execute/local.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "base/crash.h"
#include "base/process.h"
#include "device/backends.h"
#include "judge/protocol.h"
#include "record/lock.h"

namespace hone::execute {

namespace {

// Another campaign's round ends within seconds; a whole comparison takes a minute or two.
constexpr auto k_device_patience = std::chrono::minutes(30);
constexpr int k_poll_ms = 100;  // how soon an interrupt is noticed

// A started `hone judge`; killed when it goes out of scope.
class JudgeProcess {
 public:
  static Result<JudgeProcess> start(const std::filesystem::path& program);
  JudgeProcess(JudgeProcess&& other) noexcept = default;
  ~JudgeProcess() {
    if (!pidfd_) return;
    signal_pidfd(pidfd_, SIGKILL);
    std::ignore = wait_pidfd(pidfd_, std::chrono::seconds(10));
  }
  int socket() const { return socket_.get(); }
  // Once it has ended or closed its side: how.
  std::string ending() const {
    const auto status = wait_pidfd(pidfd_, std::chrono::seconds(1));
    if (!status) return "it closed its side";
    return *status > 128 ? fmt::format("killed by signal {}", *status - 128) : fmt::format("exit status {}", *status);
  }

 private:
  JudgeProcess(Fd socket, Fd pidfd) : socket_(std::move(socket)), pidfd_(std::move(pidfd)) {}
  Fd socket_;
  Fd pidfd_;
};

Result<pid_t> spawn_judge(const std::filesystem::path& program, int socket) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, socket, judge::k_protocol_descriptor);
  // Its own process group: Ctrl-C reaches control, which decides what becomes of the judge.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::array<char*, 3> argv{const_cast<char*>("hone"), const_cast<char*>("judge"), nullptr};
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return Error{ErrorCode::io, fmt::format("cannot start the judge: {}", strerror(failed))};
  return pid;
}

Result<JudgeProcess> JudgeProcess::start(const std::filesystem::path& program) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{ErrorCode::io, fmt::format("cannot make a socket: {}", strerror(errno))};
  Fd ours(ends[0]);
  Fd theirs(ends[1]);
  // dup2 onto the same number would keep close-on-exec and leave the judge deaf.
  if (theirs.get() == judge::k_protocol_descriptor) theirs.reset(fcntl(theirs.release(), F_DUPFD_CLOEXEC, 10));
  crash_point("before spawn of a judge");
  HONE_TRY(const pid_t pid, spawn_judge(program, theirs.get()));
  crash_point("after spawn of a judge");
  return JudgeProcess(std::move(ours), open_pidfd(pid));
}

class LocalExecutor final : public Executor {
 public:
  LocalExecutor(LocalRequest request, device::Identity identity)
      : request_(std::move(request)), identity_(std::move(identity)) {}

  Result<campaign::Verdict> run(const judge::JudgingJob& job, const judge::Observer& observer) override;
  Result<device::Identity> identity() override { return identity_; }
  std::vector<device::HeaderRoot> header_roots() override { return request_.header_roots; }

 private:
  Result<record::Lock> lock_device(const judge::JudgingJob& job, const std::function<bool()>& cancelled);
  Result<std::optional<campaign::Verdict>> take(const std::string& line, judge::LineChannel& channel,
                                                const judge::Observer& observer);

  LocalRequest request_;
  device::Identity identity_;
  Disk disk_;
  SystemClock clock_;
};

Result<record::Lock> LocalExecutor::lock_device(const judge::JudgingJob& job, const std::function<bool()>& cancelled) {
  HONE_TRY(const fs::path folder, user_runtime_folder());
  const fs::path path = folder / fmt::format("device-{}.lock", identity_.uuid.substr(0, 16));
  const record::LockNote note = record::note_for(fmt::format("hone judge ({})", name_of(job.question)), clock_);
  auto at_once = record::Lock::take(disk_, path, note, "on this device");
  if (at_once) return at_once;
  request_.waiting(at_once.error().what);
  return record::Lock::wait(disk_, path, note, "on this device", clock_, k_device_patience, cancelled);
}

Result<std::optional<campaign::Verdict>> LocalExecutor::take(const std::string& line, judge::LineChannel& channel,
                                                             const judge::Observer& observer) {
  HONE_TRY(const judge::Message message, json::from_text<judge::Message>(line));
  if (message.progress) observer.progress(*message.progress);
  if (message.round) {
    const Status durable = observer.round(*message.round);
    HONE_CHECK(channel.send(json::to_text(judge::Reply{durable.has_value()})));
    HONE_CHECK(durable);
  }
  if (message.error) return judge::from_wire(*message.error);
  return message.verdict;
}

Error no_verdict(const JudgeProcess& process) {
  return {ErrorCode::internal,
          fmt::format("the judge ended without a verdict ({})", process.ending()),
          {},
          "no answer was recorded",
          "run the same command again; if it happens again, report it with the log"};
}

Result<campaign::Verdict> LocalExecutor::run(const judge::JudgingJob& job, const judge::Observer& observer) {
  HONE_TRY(const record::Lock lock, lock_device(job, observer.cancelled));
  HONE_TRY(const JudgeProcess process, JudgeProcess::start(request_.program));
  judge::LineChannel channel(process.socket());
  judge::JudgingJob complete = job;
  complete.device = request_.device;
  complete.header_roots = request_.header_roots;
  if (!channel.send(json::to_text(complete))) return no_verdict(process);
  while (true) {
    if (observer.cancelled()) return Error{ErrorCode::interrupted, "the judging job was interrupted"};
    HONE_TRY(const judge::LineChannel::Received received, channel.receive(k_poll_ms));
    if (received.ended) return no_verdict(process);
    if (!received.line) continue;
    HONE_TRY(auto verdict, take(*received.line, channel, observer));
    if (verdict) return *std::move(verdict);
  }
}

}  // namespace

Result<std::unique_ptr<Executor>> make_local_executor(const LocalRequest& request) {
  HONE_TRY(const auto device,
           device::open_device({request.language, request.cores, request.threads, request.device.value_or("")}));
  LocalRequest complete = request;
  if (complete.program.empty()) complete.program = "/proc/self/exe";
  return std::unique_ptr<Executor>(std::make_unique<LocalExecutor>(std::move(complete), device->identity()));
}

}  // namespace hone::execute
