#include "sandbox/run_confined.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <string.h>

#include <algorithm>
#include <array>

namespace hone::sandbox {

namespace {

// Reads one child's output until the child has ended and the pipe is empty.
class Reader {
 public:
  Reader(const ConfinedRun& run, Child& child, const Fd& pipe)
      : run_(run), child_(child), pipe_(pipe), until_(SystemClock().now() + run.deadline) {}

  ConfinedOutcome read_all() {
    while (outcome_.how == ConfinedOutcome::How::ended) {
      const bool ended = child_.wait(Nanoseconds(0)).has_value();
      // Whatever the child wrote before it ended is in the pipe by now; a stray grandchild cannot keep us here.
      const Drained drained = drain();
      if (ended && drained != Drained::too_much) break;
      if (drained == Drained::closed) {
        wait_for_the_end();
        break;
      }
      if (drained == Drained::empty && !wait_for_news()) outcome_.how = ConfinedOutcome::How::timed_out;
    }
    if (outcome_.how != ConfinedOutcome::How::ended) child_.kill();
    const auto ending = child_.wait(std::chrono::seconds(10));
    if (outcome_.how == ConfinedOutcome::How::ended) outcome_.ending = ending;
    return std::move(outcome_);
  }

 private:
  enum class Drained { empty, closed, too_much };

  Drained drain() {
    std::array<char, 65536> buffer;
    while (true) {
      const ssize_t got = read(pipe_.get(), buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return Drained::empty;
      if (got == 0) return Drained::closed;
      keep({buffer.data(), static_cast<size_t>(got)});
      if (seen_bytes_ > run_.flood_bytes) outcome_.how = ConfinedOutcome::How::flooded;
      if (left() == Nanoseconds(0)) outcome_.how = ConfinedOutcome::How::timed_out;
      if (outcome_.how != ConfinedOutcome::How::ended) return Drained::too_much;
    }
  }

  void keep(std::string_view text) {
    seen_bytes_ += text.size();
    outcome_.output += text.substr(0, run_.output_cap_bytes - outcome_.output.size());
  }

  Nanoseconds left() const { return std::max(until_ - SystemClock().now(), Nanoseconds(0)); }

  bool wait_for_news() {
    std::array<pollfd, 2> waiting{{{pipe_.get(), POLLIN, 0}, {child_.pidfd().get(), POLLIN, 0}}};
    const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(left()).count();
    poll(waiting.data(), waiting.size(), static_cast<int>(std::min<int64_t>(milliseconds, 1 << 30)));
    return left() > Nanoseconds(0);
  }

  void wait_for_the_end() {
    if (!child_.wait(left())) outcome_.how = ConfinedOutcome::How::timed_out;
  }

  const ConfinedRun& run_;
  Child& child_;
  const Fd& pipe_;
  Nanoseconds until_;
  uint64_t seen_bytes_ = 0;
  ConfinedOutcome outcome_;
};

}  // namespace

Result<ConfinedOutcome> run_confined(ConfinedRun run) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Error{ErrorCode::io, fmt::format("cannot make a pipe: {}", strerror(errno))};
  const Fd read_end(ends[0]);
  Fd write_end(ends[1]);
  fcntl(read_end.get(), F_SETFL, O_NONBLOCK);
  run.confinement.output = write_end.get();
  run.confinement.errors = write_end.get();
  HONE_TRY(Child child, spawn(run.confinement));
  write_end.reset();
  return Reader(run, child, read_end).read_all();
}

}  // namespace hone::sandbox
