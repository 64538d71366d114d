#include "judge/protocol.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include <array>

namespace hone::judge {

WireError to_wire(const Error& error) {
  WireError wire{error.code, error.what, to_text(error.where), error.why, error.help, {}};
  for (const Error& cause : error.causes) wire.causes.push_back(to_wire(cause));
  return wire;
}

Error from_wire(const WireError& wire) {
  Error error{wire.code, wire.what, {wire.where, 0, 0}, wire.why, wire.help, {}};
  for (const WireError& cause : wire.causes) error.causes.push_back(from_wire(cause));
  return error;
}

namespace {

Error too_long() { return {ErrorCode::io, "a message of a judging job is too long"}; }

}  // namespace

Status LineChannel::send(const std::string& line) {
  if (line.size() > limit_bytes_) return too_long();
  if (line.find('\n') != std::string::npos)
    return Error{ErrorCode::internal, "a message of a judging job holds a line break"};
  const std::string text = line + "\n";
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t sent = ::send(fd_, left.data(), left.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0)
      return Error{ErrorCode::io, std::string("cannot speak to the other side of a judging job: ") + strerror(errno)};
    left.remove_prefix(static_cast<size_t>(sent));
  }
  return ok();
}

namespace {

enum class Waited { readable, nothing };

// A signal without a deadline is no news; with one it counts as "none came in time", so that a caller can look at its
// own flags.
Result<Waited> wait_for_input(int fd, int timeout_ms) {
  while (true) {
    pollfd waiting{fd, POLLIN, 0};
    const int ready = poll(&waiting, 1, timeout_ms);
    if (ready > 0) return Waited::readable;
    if (ready < 0 && errno != EINTR)
      return Error{ErrorCode::io, std::string("cannot wait for a judging job: ") + strerror(errno)};
    if (timeout_ms >= 0) return Waited::nothing;
  }
}

}  // namespace

// Looks at every byte once: a line of many megabytes comes in small pieces.
std::optional<std::string> LineChannel::take_line() {
  const size_t end = buffer_.find('\n', searched_);
  searched_ = buffer_.size();
  if (end == std::string::npos) return std::nullopt;
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  searched_ = 0;
  return line;
}

Result<LineChannel::Received> LineChannel::receive(int timeout_ms) {
  while (true) {
    auto line = take_line();
    if (line ? line->size() > limit_bytes_ : buffer_.size() > limit_bytes_) return too_long();
    if (line) return Received{std::move(line), false};
    HONE_TRY(const Waited waited, wait_for_input(fd_, timeout_ms));
    if (waited == Waited::nothing) return Received{};
    std::array<char, 65536> chunk;
    const ssize_t got = recv(fd_, chunk.data(), chunk.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Received{std::nullopt, true};
    buffer_.append(chunk.data(), static_cast<size_t>(got));
  }
}

}  // namespace hone::judge
