// The stream between control and a judge: lines out of pieces, and each line as every message that it could be.
#include <sys/socket.h>

#include "fuzz.h"
#include "judge/protocol.h"

using namespace hone;

namespace {

constexpr size_t k_limit_bytes = 2048;
constexpr size_t k_stream_bytes = 65536;  // a socket takes so much without a reader

template <class T>
void check_message(const std::string& line) {
  const auto message = json::from_text<T>(line);
  if (!message) return;
  const std::string text = json::to_text(*message);
  const auto again = json::from_text<T>(text);
  fuzz::require(again && json::to_text(*again) == text, "a message reads back as itself");
}

void check_candidate(const std::string& line) {
  const auto job = json::from_text<judge::JudgingJob>(line);
  if (!job) return;
  const task::Candidate candidate = judge::to_candidate(job->candidate);
  fuzz::require(judge::to_candidate(judge::to_text(candidate)).digest == candidate.digest, "a candidate travels whole");
  for (const judge::RoundRecord& round : job->earlier_rounds) std::ignore = judge::to_round(round, {"large"});
}

void check_line(const std::string& line) {
  fuzz::require(line.size() <= k_limit_bytes && line.find('\n') == std::string::npos, "a line is a line");
  check_message<judge::JudgingJob>(line);
  check_message<judge::Message>(line);
  check_message<judge::Reply>(line);
  check_candidate(line);
  const auto message = json::from_text<judge::Message>(line);
  if (message && message->error) std::ignore = to_text(judge::from_wire(*message->error));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  int ends[2];
  if (size > k_stream_bytes || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 0;
  const Fd here(ends[0]);
  Fd there(ends[1]);
  fuzz::require(size == 0 || ::send(there.get(), data, size, 0) == static_cast<ssize_t>(size), "the socket takes it");
  there.reset();
  judge::LineChannel channel(here.get(), k_limit_bytes);
  while (true) {
    const auto received = channel.receive();
    if (!received || received->ended || !received->line) return 0;
    check_line(*received->line);
  }
}
