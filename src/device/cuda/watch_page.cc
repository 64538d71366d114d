#include "device/cuda/watch_page.h"

#include <array>
#include <bit>

namespace hone::device::cuda {

namespace {

using Words = std::array<uint64_t, k_watch_words>;

// A write takes well under a microsecond: who sees one this often sees a writer that stopped in the middle.
constexpr int k_attempts = 1000;

uint64_t load(const uint64_t& word, int order) { return __atomic_load_n(&word, order); }
void store(uint64_t& word, uint64_t value, int order) { __atomic_store_n(&word, value, order); }

}  // namespace

// The words are stored with release and loaded with acquire, so that neither passes the sequence on its side of them.
void publish(WatchPage& page, const WatchWords& words) {
  const uint64_t sequence = load(page.sequence, __ATOMIC_RELAXED);
  const auto values = std::bit_cast<Words>(words);
  store(page.sequence, sequence + 1, __ATOMIC_RELAXED);
  for (size_t i = 0; i < k_watch_words; ++i) store(page.words[i], values[i], __ATOMIC_RELEASE);
  store(page.sequence, sequence + 2, __ATOMIC_RELEASE);
}

std::optional<WatchWords> settled_words(const WatchPage& page) {
  for (int attempt = 0; attempt < k_attempts; ++attempt) {
    const uint64_t sequence = load(page.sequence, __ATOMIC_ACQUIRE);
    Words values{};
    for (size_t i = 0; i < k_watch_words; ++i) values[i] = load(page.words[i], __ATOMIC_ACQUIRE);
    if (sequence % 2 == 0 && load(page.sequence, __ATOMIC_RELAXED) == sequence)
      return std::bit_cast<WatchWords>(values);
  }
  return std::nullopt;
}

}  // namespace hone::device::cuda
