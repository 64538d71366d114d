// Futex words shared between processes (never FUTEX_PRIVATE: judge and runner map the same page at different
// addresses). No ownership; a wait may return early for any reason, so callers look at the word again. Any thread.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>
#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace hone::device::cpu {

inline uint32_t load_word(const uint32_t& word) { return __atomic_load_n(&word, __ATOMIC_ACQUIRE); }
inline void store_word(uint32_t& word, uint32_t value) { __atomic_store_n(&word, value, __ATOMIC_RELEASE); }

// Sleeps while the word holds `seen`, until woken, interrupted, or the time is over.
inline void wait_on_word(uint32_t& word, uint32_t seen, std::optional<Nanoseconds> timeout = std::nullopt) {
  timespec span{};
  if (timeout) span = {timeout->count() / 1'000'000'000, timeout->count() % 1'000'000'000};
  syscall(SYS_futex, &word, FUTEX_WAIT, seen, timeout ? &span : nullptr, nullptr, 0);
}

inline void wake_word(uint32_t& word) { syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0); }

}  // namespace hone::device::cpu
