#include "device/launcher/launcher.h"

#include <errno.h>
#include <fmt/format.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/text.h"
#include "device/launcher/driver_mounts.h"
#include "device/launcher/receive.h"

namespace hone::device::launcher {

namespace {

constexpr Nanoseconds k_start_deadline = std::chrono::seconds(60);

// A checker starts its program by name, so that is lent.
void put_below(const Checker& checker, sandbox::Confinement& confinement) {
  std::error_code unread;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", unread);
  std::vector<std::string> argv = checker.argv;
  argv.push_back(self.string());
  argv.insert(argv.end(), confinement.argv.begin() + 1, confinement.argv.end());
  confinement.profile = sandbox::Profile::sanitizer;
  confinement.program = checker.argv.front();
  confinement.argv = std::move(argv);
  confinement.mounts.insert(confinement.mounts.end(), checker.mounts.begin(), checker.mounts.end());
  confinement.mounts.push_back({self, sandbox::Access::read_only});
  confinement.output = confinement.errors = checker.output;
}

sandbox::Confinement confinement_of(const LauncherRequest& request, int socket, int area) {
  sandbox::Confinement confinement;
  confinement.profile = sandbox::Profile::launcher;
  confinement.argv = {"hone", "launcher"};
  confinement.environment = driver_environment();
  confinement.mounts = driver_mounts();
  confinement.descriptors = {socket, area};
  confinement.cores = request.cores;
  if (request.checker) put_below(*request.checker, confinement);
  return confinement;
}

Error nonsense() { return Error{ErrorCode::internal, "the launcher sent what does not parse"}; }

}  // namespace

Result<std::unique_ptr<Launcher>> Launcher::start(const LauncherRequest& request) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{ErrorCode::io, fmt::format("cannot make a socket for the launcher: {}", strerror(errno))};
  Fd ours(ends[0]);
  Fd theirs(ends[1]);
  HONE_TRY(cpu::SharedMemory area, cpu::SharedMemory::make(k_area_bytes, cpu::Others::may_write));
  HONE_TRY(sandbox::Child child, sandbox::spawn(confinement_of(request, theirs.get(), area.fd())));
  theirs.reset();  // its end is then seen at once
  area.close_file();
  std::unique_ptr<Launcher> launcher(new Launcher(std::move(ours), std::move(area), std::move(child)));
  HONE_CHECK(launcher->open(request));
  return launcher;
}

Status Launcher::open(const LauncherRequest& request) {
  Packet order;
  order.put_text(request.backend).put_text(request.uuid).put(request.placing);
  HONE_TRY(const Answered answered, ask(Verb::open, order, k_start_deadline));
  if (answered.fault)
    return Error{ErrorCode::environment,
                 fmt::format("the {} driver does not start: {}", request.backend, answered.fault->message),
                 {},
                 {},
                 "`hone doctor` says what it sees"};
  Unpacked reply(answered.packet);
  const auto version = reply.get<uint32_t>();
  facts_.vendor = reply.text();
  facts_.name = reply.text();
  facts_.uuid = reply.text();
  facts_.arch = reply.text();
  facts_.driver = reply.text();
  facts_.memory_bytes = reply.get<uint64_t>();
  facts_.last_cache_bytes = reply.get<uint64_t>();
  facts_.shared_bytes = reply.get<uint64_t>();
  facts_.multiprocessors = reply.get<uint32_t>();
  facts_.limits = reply.get<task::LaunchLimits>();
  facts_.view_align_bytes = reply.get<uint64_t>();
  facts_.trust = reply.get<Trust>();
  return reply.at_end() && version == k_protocol_version ? ok() : Status(nonsense());
}

Status Launcher::tell(Verb verb, const Packet& order) {
  Packet packet;
  packet.put(verb);
  const std::string bytes = packet.bytes() + order.bytes();
  if (bytes.size() > k_most_packet_bytes) return Error{ErrorCode::internal, "an order is longer than a packet"};
  // A launcher that died is found out by the next question.
  if (alive_ && send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0 && errno != EPIPE &&
      errno != ECONNRESET)
    return Error{ErrorCode::io, fmt::format("cannot write to the launcher: {}", strerror(errno))};
  return ok();
}

std::optional<sandbox::Ending> Launcher::finish(Nanoseconds patience) {
  alive_ = false;
  socket_.reset();
  auto ending = child_.wait(patience);
  if (!ending) child_.kill();
  return ending;
}

Fault Launcher::death(FaultKind kind, std::string message) {
  alive_ = false;
  child_.kill();
  child_.wait(std::chrono::seconds(10));
  return Fault{kind, 0, std::move(message), {}};
}

namespace {

// Bytes of the packet that came; 0 or less where the other side is gone, nothing where none came in time.
std::optional<ssize_t> receive(int socket, std::span<char> packet, Nanoseconds deadline) {
  if (const auto soon = receive_soon(socket, packet)) return soon;
  pollfd waiting{socket, POLLIN, 0};
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(std::max(deadline, Nanoseconds(0)));
  const int ready = poll(&waiting, 1, static_cast<int>(std::min<int64_t>(milliseconds.count(), 1 << 30)));
  if (ready == 0) return std::nullopt;
  return recv(socket, packet.data(), packet.size(), 0);
}

}  // namespace

Result<Answered> Launcher::ask(Verb verb, const Packet& order, Nanoseconds deadline) {
  if (!alive_) return Answered{{}, Fault{FaultKind::crashed, 0, "its launcher had ended", {}}};
  HONE_CHECK(tell(verb, order));
  const auto got = receive(socket_.get(), room_, deadline);
  if (!got) return Answered{{}, death(FaultKind::timed_out, "it did not finish before its deadline")};
  if (*got <= 0) return Answered{{}, death(FaultKind::crashed, "the launcher died of it")};
  const auto packet = std::string_view(room_).substr(0, static_cast<size_t>(*got));
  Unpacked reply(packet);
  const auto answered = reply.get<Verb>();
  const auto failed = reply.get<uint32_t>();
  if (!reply.ok() || answered != verb) return Answered{{}, death(FaultKind::crashed, "the launcher talks nonsense")};
  if (failed == 0) return Answered{std::string(packet.substr(sizeof(Verb) + sizeof(uint32_t))), std::nullopt};
  Error error{reply.get<ErrorCode>(), quote_untrusted(reply.text(), 4096)};
  error.help = quote_untrusted(reply.text(), 4096);
  if (error.code > ErrorCode::interrupted) error.code = ErrorCode::internal;
  return error;
}

}  // namespace hone::device::launcher
