#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>

#include "base/crash.h"
#include "base/text.h"

namespace hone {

namespace {

// Standard input as an anonymous file: no writer thread, no deadlock.
Result<Fd> input_file(const std::string& input) {
  Fd fd(memfd_create("hone-input", MFD_CLOEXEC));
  if (!fd || pwrite(fd.get(), input.data(), input.size(), 0) != static_cast<ssize_t>(input.size()))
    return Error{ErrorCode::io, fmt::format("cannot hold a child's input: {}", strerror(errno))};
  return fd;
}

std::vector<std::string> environment_of(const Command& command) {
  std::map<std::string, std::string> all{{"LANG", "C.UTF-8"}};
  for (const char* name : {"PATH", "HOME"}) {
    if (const char* value = getenv(name)) all[name] = value;
  }
  for (const auto& [name, value] : command.environment) all[name] = value;
  std::vector<std::string> lines;
  for (const auto& [name, value] : all) lines.push_back(name + "=" + value);
  return lines;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

struct Streams {
  Fd input;
  Pipe output;
  Pipe errors;
};

// A process group of its own, and the signals as a program expects them.
class ChildAttributes {
 public:
  ChildAttributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t ignored_by_us;
    sigemptyset(&ignored_by_us);
    sigaddset(&ignored_by_us, SIGPIPE);
    sigaddset(&ignored_by_us, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes_, &ignored_by_us);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  }
  ChildAttributes(const ChildAttributes&) = delete;
  ChildAttributes& operator=(const ChildAttributes&) = delete;
  ~ChildAttributes() { posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

Result<pid_t> start(const Command& command, const std::filesystem::path& program, const Streams& streams) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, streams.input.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, streams.output.write_end.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, streams.errors.write_end.get(), STDERR_FILENO);
  if (!command.folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str());
  auto argv = command.argv;
  auto environment = environment_of(command);
  const ChildAttributes attributes;
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, program.c_str(), &actions, attributes.get(), pointers(argv).data(),
                                 pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return Error{ErrorCode::io, fmt::format("cannot start {}: {}", program.string(), strerror(failed))};
  return pid;
}

}  // namespace

Result<Finished> Processes::run(const Command& command) {
  const auto program = find_program(command.argv.front());
  if (!program)
    return Error{ErrorCode::environment,
                 fmt::format("the program '{}' is not on PATH", command.argv.front()),
                 {},
                 {},
                 fmt::format("install it, for example: apt-get install {}", command.argv.front())};
  Streams streams;
  HONE_TRY(streams.input, input_file(command.input));
  HONE_TRY(streams.output, make_pipe());
  HONE_TRY(streams.errors, make_pipe());
  crash_point("before spawn");
  HONE_TRY(const pid_t pid, start(command, *program, streams));
  crash_point("after spawn");
  const Fd pidfd = open_pidfd(pid);
  streams.output.write_end.reset();
  streams.errors.write_end.reset();
  Captured captured =
      capture(streams.output.read_end, streams.errors.read_end, command.output_cap_bytes, command.deadline);
  if (captured.timed_out || captured.over_cap) kill(-pid, SIGKILL);  // its group: what it started goes with it
  const auto status = wait_pidfd(pidfd, std::chrono::seconds(10));
  crash_point("after wait");
  if (captured.over_cap)
    return Error{ErrorCode::io,
                 fmt::format("'{}' printed more than {}", command.argv.front(), human_bytes(command.output_cap_bytes))};
  return Finished{status.value_or(128 + SIGKILL), captured.timed_out, std::move(captured.output),
                  std::move(captured.errors)};
}

std::optional<std::filesystem::path> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return access(name.c_str(), X_OK) == 0 ? std::optional<std::filesystem::path>(name) : std::nullopt;
  const char* path = getenv("PATH");
  for (const std::string& folder : split(path == nullptr ? "/usr/bin:/bin" : path, ':')) {
    const auto candidate = std::filesystem::path(folder) / name;
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(candidate))
      return candidate;
  }
  return std::nullopt;
}

namespace {

// Reads what is there; false at the end of the stream.
bool drain(int fd, std::string& into, size_t cap_bytes, bool& over_cap) {
  std::array<char, 65536> buffer;
  const ssize_t got = read(fd, buffer.data(), buffer.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  if (got == 0) return false;
  const size_t room = cap_bytes - into.size();
  over_cap = over_cap || static_cast<size_t>(got) > room;
  into.append(buffer.data(), std::min(room, static_cast<size_t>(got)));
  return true;
}

int milliseconds_left(Nanoseconds until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - SystemClock().now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 1 << 30));
}

}  // namespace

Captured capture(const Fd& output, const Fd& errors, size_t cap_bytes, Nanoseconds deadline) {
  const Nanoseconds until = SystemClock().now() + deadline;
  Captured captured;
  std::array<pollfd, 2> waiting{{{output.get(), POLLIN, 0}, {errors.get(), POLLIN, 0}}};
  const std::array<std::string*, 2> into{&captured.output, &captured.errors};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    const int ready = poll(waiting.data(), waiting.size(), milliseconds_left(until));
    if (ready == 0) {
      captured.timed_out = true;
      return captured;
    }
    for (size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].fd >= 0 && waiting[i].revents != 0 &&
          !drain(waiting[i].fd, *into[i], cap_bytes, captured.over_cap))
        waiting[i].fd = -1;
    }
    if (captured.over_cap) return captured;
  }
  return captured;
}

Fd open_pidfd(pid_t pid) {
  Fd fd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (fd) fcntl(fd.get(), F_SETFD, FD_CLOEXEC);
  return fd;
}

void signal_pidfd(const Fd& pidfd, int signal) { syscall(SYS_pidfd_send_signal, pidfd.get(), signal, nullptr, 0); }

std::optional<int> wait_pidfd(const Fd& pidfd, Nanoseconds timeout) {
  const Nanoseconds until = SystemClock().now() + timeout;
  pollfd waiting{pidfd.get(), POLLIN, 0};
  while (poll(&waiting, 1, milliseconds_left(until)) <= 0) {
    if (SystemClock().now() >= until) return std::nullopt;
  }
  siginfo_t info{};
  if (waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(pidfd.get()), &info, WEXITED) != 0) return std::nullopt;
  return info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
}

}  // namespace hone
