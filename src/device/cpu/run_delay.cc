#include "device/cpu/run_delay.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>
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

// Between two readings.
struct Window {
  std::vector<CoreTime> threads;
  std::vector<double> ran_on;  // of everybody of ours, by core
  CoreTime judge;
  double unwatched_ns = 0;
};

std::optional<Window> between(const Shares& before, const Shares& after) {
  if (before.threads.size() != after.threads.size() || after.cores == 0) return std::nullopt;
  if (!is_later(before.judge, after.judge) || after.arm_ran_ns < before.arm_ran_ns) return std::nullopt;
  Window window{{}, std::vector<double>(after.cores, 0.0), since(before.judge, after.judge), 0};
  window.ran_on[0] = static_cast<double>(window.judge.ran_ns);
  window.unwatched_ns = static_cast<double>(after.arm_ran_ns - before.arm_ran_ns);
  for (size_t i = 0; i < after.threads.size(); ++i) {
    if (!is_later(before.threads[i], after.threads[i])) return std::nullopt;
    window.threads.push_back(since(before.threads[i], after.threads[i]));
    const auto ran = static_cast<double>(window.threads.back().ran_ns);
    window.ran_on[i % after.cores] += ran;
    window.unwatched_ns = std::max(0.0, window.unwatched_ns - ran);
  }
  return window;
}

// Of what one waited that for which nobody of ours ran on that core.
double for_strangers(const CoreTime& waiter, double ran_on_its_core_ns) {
  const double mates_ns = ran_on_its_core_ns - static_cast<double>(waiter.ran_ns);
  return std::max(0.0, static_cast<double>(waiter.waited_ns) - mates_ns);
}

}  // namespace

void RunDelay::watch(pid_t process, std::span<const pid_t> threads, const std::filesystem::path& root) {
  files_.clear();
  for (const pid_t thread : threads) {
    const auto path = root / fmt::format("proc/{}/task/{}/schedstat", process, thread);
    files_.emplace_back(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  }
}

std::optional<std::vector<CoreTime>> RunDelay::times() const {
  if (files_.empty()) return std::nullopt;
  std::vector<CoreTime> all;
  for (const Fd& file : files_) {
    const auto times = read_times(file.get());
    if (!times) return std::nullopt;
    all.push_back(*times);
  }
  return all;
}

std::optional<uint64_t> ran_ns(pid_t process) {
  clockid_t clock{};
  timespec ran{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &ran) != 0) return std::nullopt;
  return static_cast<uint64_t>(ran.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(ran.tv_nsec);
}

std::optional<double> disturbed_fraction(const std::optional<Shares>& before, const std::optional<Shares>& after,
                                         double window_ns) {
  const auto window = before && after ? between(*before, *after) : std::nullopt;
  if (!window || !(window_ns > 0)) return std::nullopt;
  double arm_ns = 0;
  for (size_t i = 0; i < window->threads.size(); ++i)
    arm_ns += for_strangers(window->threads[i], window->ran_on[i % window->ran_on.size()]);
  const double judge_ns = for_strangers(window->judge, window->ran_on[0]);
  const double others_ns = std::max(arm_ns, judge_ns) - window->unwatched_ns;
  return std::clamp((others_ns - k_hand_over_ns) / window_ns, 0.0, 1.0);
}

}  // namespace hone::device::cpu
