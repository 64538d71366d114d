// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011), many blocks at once.
// A block is four 32-bit words, a pure function of a 64-bit key and a 128-bit counter; the counter's low 64 bits number
// the blocks, so that any block can be made alone, anywhere. The portable path is Random123's; the vector paths give
// the same bits (tested). Ownership: writes into the caller's arrays. No failure, no state; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hone::device {

// What stays the same over one stream of blocks: the key and the upper half of the counter.
struct PhiloxStream {
  std::array<uint32_t, 2> key{};
  std::array<uint32_t, 2> upper_counter{};
};

using PhiloxBlock = std::array<uint32_t, 4>;

// Word by word, so that what follows vectorises: word w of block b is words[w][b].
constexpr size_t k_philox_batch = 256;
struct PhiloxBatch {
  alignas(64) std::array<std::array<uint32_t, k_philox_batch>, 4> words;
};

enum class PhiloxPath { portable, avx2, avx512 };

PhiloxBlock philox_block(const PhiloxStream& stream, uint64_t counter);

// Blocks first … first + k_philox_batch − 1. `first` must be a multiple of k_philox_batch: the low counter word then
// never carries.
void philox_batch(PhiloxBatch& out, const PhiloxStream& stream, uint64_t first, PhiloxPath path);

// The paths that this processor can run, the fastest last.
std::vector<PhiloxPath> philox_paths();
PhiloxPath fastest_philox_path();

}  // namespace hone::device
