#include "judge/protocol.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include <array>

namespace hone::judge {

WireError to_wire(const Error& error) { return {error.code, error.what, to_text(error.where), error.why, error.help}; }

Error from_wire(const WireError& error) { return {error.code, error.what, {error.where, 0, 0}, error.why, error.help}; }

Status LineChannel::send(const std::string& line) {
  std::string text = line + "\n";
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t sent = ::send(fd_, left.data(), left.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return Error{ErrorCode::io, std::string("cannot speak to the other side of a judging job: ") + strerror(errno)};
    left.remove_prefix(static_cast<size_t>(sent));
  }
  return ok();
}

namespace {

std::optional<std::string> take_line(std::string& buffer) {
  const size_t end = buffer.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = buffer.substr(0, end);
  buffer.erase(0, end + 1);
  return line;
}

}  // namespace

Result<LineChannel::Received> LineChannel::receive(int timeout_ms) {
  while (true) {
    if (auto line = take_line(buffer_)) return Received{std::move(line), false};
    if (buffer_.size() > k_line_limit_bytes) return Error{ErrorCode::io, "a message of a judging job is too long"};
    pollfd waiting{fd_, POLLIN, 0};
    const int ready = poll(&waiting, 1, timeout_ms);
    if (ready == 0) return Received{};
    if (ready < 0 && errno != EINTR) return Error{ErrorCode::io, std::string("cannot wait for a judging job: ") + strerror(errno)};
    if (ready < 0) return Received{};
    std::array<char, 65536> chunk;
    const ssize_t got = recv(fd_, chunk.data(), chunk.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Received{std::nullopt, true};
    buffer_.append(chunk.data(), static_cast<size_t>(got));
  }
}

}  // namespace hone::judge
