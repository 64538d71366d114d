#include "base/crash.h"

#ifdef HONE_CRASH_POINTS

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>

namespace hone {

namespace {

long crash_at() {
  const char* text = getenv("HONE_CRASH_AT");
  return text == nullptr ? 0 : strtol(text, nullptr, 10);
}

// Says each point as it is passed: how many there are is then known.
bool crash_count_wanted() {
  static const bool wanted = getenv("HONE_CRASH_COUNT") != nullptr;
  return wanted;
}

}  // namespace

void crash_point(const char* name) {
  static const long target = crash_at();
  static std::atomic<long> passed = 0;
  const long number = ++passed;
  if (crash_count_wanted()) dprintf(STDERR_FILENO, "crash point %ld\n", number);
  if (target == 0 || number != target) return;
  if (getenv("HONE_CRASH_TRACE") != nullptr) dprintf(STDERR_FILENO, "crash point %ld: %s\n", number, name);
  kill(getpid(), SIGKILL);
}

}  // namespace hone

#endif
