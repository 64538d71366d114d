// Time as seen by hone. Control code takes a Clock so that tests decide what time it is; the judge's deciding clock is
// CLOCK_MONOTONIC_RAW and is read directly beside the launch (judge_clock_ns).
// No ownership, no failure: a kernel without these clocks is not supported. Real clocks may be read from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace hone {

using Nanoseconds = std::chrono::nanoseconds;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Nanoseconds now() const = 0;        // monotonic, arbitrary origin
  virtual Nanoseconds wall_time() const = 0;  // since 1970-01-01 UTC
  virtual void sleep(Nanoseconds duration) = 0;
};

class SystemClock final : public Clock {
 public:
  Nanoseconds now() const override;
  Nanoseconds wall_time() const override;
  void sleep(Nanoseconds duration) override;
};

// Moves only when told to (advance) or slept on.
class FakeClock final : public Clock {
 public:
  explicit FakeClock(Nanoseconds wall_start = std::chrono::hours(24 * 365 * 56)) : wall_start_(wall_start) {}
  Nanoseconds now() const override { return elapsed_; }
  Nanoseconds wall_time() const override { return wall_start_ + elapsed_; }
  void sleep(Nanoseconds duration) override { elapsed_ += duration; }
  void advance(Nanoseconds duration) { elapsed_ += duration; }

 private:
  Nanoseconds wall_start_;
  Nanoseconds elapsed_{0};
};

// CLOCK_MONOTONIC_RAW in nanoseconds: not steered by NTP, so a ratio of two readings is a ratio of hardware time.
int64_t judge_clock_ns();

// "2026-11-29T18:24:30.123Z", always UTC with milliseconds.
std::string to_iso8601(Nanoseconds since_epoch);

constexpr double to_seconds(Nanoseconds duration) { return std::chrono::duration<double>(duration).count(); }
constexpr Nanoseconds from_seconds(double seconds) { return Nanoseconds(static_cast<int64_t>(seconds * 1e9)); }

}  // namespace hone
