// The words between control and `hone judge` (docs/judge-protocol.md): one compact JSON object a line over one socket.
//   control → judge   a JudgingJob, then one Reply for every round
//   judge → control   Message after Message; the last one holds a verdict or an error
// A line is at most k_line_limit_bytes. An ended stream before the last message means that the judge died.
// Not thread-safe; the descriptor is borrowed.
#pragma once

#include <optional>
#include <string>

#include "base/json.h"
#include "campaign/verdict.h"
#include "judge/job.h"

namespace hone::judge {

inline constexpr int k_protocol_descriptor = 3;
inline constexpr size_t k_line_limit_bytes = 64 << 20;

struct WireError {
  ErrorCode code = ErrorCode::internal;
  std::string what;
  std::string where;
  std::string why;
  std::string help;
  std::vector<WireError> causes;
};

struct Message {
  std::optional<RoundRecord> round;
  std::optional<Progress> progress;
  std::optional<campaign::Verdict> verdict;
  std::optional<WireError> error;
};

struct Reply {
  bool go_on = true;
};

template <class A>
void describe(A& a, WireError& v) {
  a.field("code", v.code);
  a.field("what", v.what);
  a.field("where", v.where);
  a.field("why", v.why);
  a.field("do", v.help);
  a.field("causes", v.causes);
}

template <class A>
void describe(A& a, Message& v) {
  a.field("round", v.round);
  a.field("progress", v.progress);
  a.field("verdict", v.verdict);
  a.field("error", v.error);
}

template <class A>
void describe(A& a, Reply& v) {
  a.field("go_on", v.go_on);
}

WireError to_wire(const Error& error);
Error from_wire(const WireError& error);

// Lines over a stream socket.
class LineChannel {
 public:
  explicit LineChannel(int fd, size_t limit_bytes = k_line_limit_bytes) : fd_(fd), limit_bytes_(limit_bytes) {}
  // Fails for a line that is too long or holds a line break, and when the other side is gone.
  Status send(const std::string& line);
  // The next line without its newline; nothing at the end of the stream or, with a timeout in ms ≥ 0, when none came in
  // time or a signal did. Part of a line before the end of the stream is no line.
  struct Received {
    std::optional<std::string> line;
    bool ended = false;
  };
  Result<Received> receive(int timeout_ms = -1);

 private:
  std::optional<std::string> take_line();

  int fd_;
  size_t limit_bytes_;
  std::string buffer_;
  size_t searched_ = 0;  // of the buffer, without a line break
};

}  // namespace hone::judge
