#include "base/clock.h"

#include <fmt/format.h>
#include <time.h>

#include <thread>

namespace hone {

namespace {

int64_t read_clock_ns(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

}  // namespace

Nanoseconds SystemClock::now() const { return Nanoseconds(read_clock_ns(CLOCK_MONOTONIC)); }
Nanoseconds SystemClock::wall_time() const { return Nanoseconds(read_clock_ns(CLOCK_REALTIME)); }
void SystemClock::sleep(Nanoseconds duration) { std::this_thread::sleep_for(duration); }

int64_t judge_clock_ns() { return read_clock_ns(CLOCK_MONOTONIC_RAW); }

std::string to_iso8601(Nanoseconds since_epoch) {
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count();
  const time_t seconds = static_cast<time_t>(milliseconds / 1000);
  tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, milliseconds % 1000);
}

}  // namespace hone
