#include "device/cpu/run_delay.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace hone::device::cpu {

namespace {

// What judge and runner take from each other at the two ends of a window, on a core that they share: 3 to 11 µs were
// seen, and a stranger's time slice is a hundred times as long.
constexpr double k_hand_over_ns = 20e3;

// "time on the processor, time spent ready, time slices"
std::optional<CoreTime> read_times(int file) {
  std::array<char, 96> text;
  const ssize_t got = pread(file, text.data(), text.size(), 0);
  if (got <= 0) return std::nullopt;
  const char* const end = text.data() + got;
  CoreTime times;
  const auto ran = std::from_chars(text.data(), end, times.ran_ns);
  if (ran.ec != std::errc() || ran.ptr == end || *ran.ptr != ' ') return std::nullopt;
  const auto waited = std::from_chars(ran.ptr + 1, end, times.waited_ns);
  return waited.ec == std::errc() ? std::optional(times) : std::nullopt;
}

CoreTime since(const CoreTime& before, const CoreTime& after) {
  return {after.ran_ns - before.ran_ns, after.waited_ns - before.waited_ns};
}

bool is_later(const CoreTime& before, const CoreTime& after) {
  return after.ran_ns >= before.ran_ns && after.waited_ns >= before.waited_ns;
}

// Of what one waited that for which the other did not run.
double for_others(const CoreTime& waiter, const CoreTime& other) {
  return static_cast<double>(waiter.waited_ns) - static_cast<double>(other.ran_ns);
}

}  // namespace

void RunDelay::watch(pid_t process, std::span<const pid_t> threads, const std::filesystem::path& root) {
  files_.clear();
  for (const pid_t thread : threads) {
    const auto path = root / fmt::format("proc/{}/task/{}/schedstat", process, thread);
    files_.emplace_back(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  }
}

std::optional<CoreTime> RunDelay::total() const {
  if (files_.empty()) return std::nullopt;
  CoreTime total;
  for (const Fd& file : files_) {
    const auto times = read_times(file.get());
    if (!times) return std::nullopt;
    total.ran_ns += times->ran_ns;
    total.waited_ns += times->waited_ns;
  }
  return total;
}

std::optional<double> disturbed_fraction(const std::optional<Shares>& before, const std::optional<Shares>& after,
                                         double window_ns) {
  if (!before || !after || !is_later(before->arm, after->arm) || !(window_ns > 0)) return std::nullopt;
  const CoreTime arm = since(before->arm, after->arm);
  double others_ns = static_cast<double>(arm.waited_ns);
  if (before->judge && after->judge) {
    if (!is_later(*before->judge, *after->judge)) return std::nullopt;
    const CoreTime judge = since(*before->judge, *after->judge);
    others_ns = std::max(for_others(arm, judge), for_others(judge, arm));
  }
  return std::clamp((others_ns - k_hand_over_ns) / window_ns, 0.0, 1.0);
}

}  // namespace hone::device::cpu
