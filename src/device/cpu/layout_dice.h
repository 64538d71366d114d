// Everything about an arm's layout that must be luck: pad size, offsets, order of mappings. All follows from one secret
// seed, so that a verdict can be replayed. Generator: SplitMix64 (Steele, Lea, Flood 2014): layouts need no
// cryptographic strength, the seed is secret. No failure; one thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "device/device.h"

namespace hone::device::cpu {

class LayoutDice {
 public:
  explicit LayoutDice(uint64_t seed) : state_(seed) {}

  // In [0, sides). The bias of the remainder is below sides / 2^64.
  uint64_t roll(uint64_t sides) { return next() % sides; }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[roll(i)]);
  }

 private:
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

  uint64_t state_;
};

// Bytes in front of the code: 16·i + 4096·j, i < 4, j < 16 (JUDGE.md 1).
constexpr uint64_t pad_bytes(uint32_t pad) { return 16 * (pad % 4) + 4096 * (pad / 4 % 16); }

inline uint64_t roll_pad_bytes(LayoutDice& dice) { return pad_bytes(static_cast<uint32_t>(dice.roll(k_pads))); }

}  // namespace hone::device::cpu
