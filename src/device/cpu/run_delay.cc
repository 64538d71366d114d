#include "device/cpu/run_delay.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace hone::device::cpu {

namespace {

// What judge and runner take from each other at the two ends of a window, on a core that they share: 3 to 11 µs were
// seen, and a stranger's time slice is a hundred times as long.
constexpr double k_hand_over_ns = 20e3;

// "time on the processor, time spent ready, time slices"
std::optional<uint64_t> read_delay(int file) {
  std::array<char, 96> text;
  const ssize_t got = pread(file, text.data(), text.size(), 0);
  if (got <= 0) return std::nullopt;
  const std::string_view line(text.data(), static_cast<size_t>(got));
  const size_t space = line.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  uint64_t delay = 0;
  const auto read = std::from_chars(line.data() + space + 1, line.data() + line.size(), delay);
  return read.ec == std::errc() ? std::optional(delay) : std::nullopt;
}

}  // namespace

void RunDelay::watch(pid_t process, std::span<const pid_t> threads, const std::filesystem::path& root) {
  files_.clear();
  for (const pid_t thread : threads) {
    const auto path = root / fmt::format("proc/{}/task/{}/schedstat", process, thread);
    files_.emplace_back(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  }
}

std::optional<uint64_t> RunDelay::total_ns() const {
  if (files_.empty()) return std::nullopt;
  uint64_t total = 0;
  for (const Fd& file : files_) {
    const auto delay = read_delay(file.get());
    if (!delay) return std::nullopt;
    total += *delay;
  }
  return total;
}

std::optional<double> disturbed_fraction(std::optional<uint64_t> before_ns, std::optional<uint64_t> after_ns,
                                         double window_ns) {
  if (!before_ns || !after_ns || *after_ns < *before_ns || !(window_ns > 0)) return std::nullopt;
  const double others_ns = static_cast<double>(*after_ns - *before_ns) - k_hand_over_ns;
  return std::clamp(others_ns / window_ns, 0.0, 1.0);
}

}  // namespace hone::device::cpu
