// The loops of a fill over one tile of 256 elements: plain C++ with constant trip counts, compiled once per vector
// width and chosen when the program is loaded. Exactly rounded operations without contraction (-ffp-contract=off), so
// every clone gives the same bits. Arrays are the caller's, k_philox_batch long each. No failure, no state; any thread.
#pragma once

#include <cstdint>

#include "device/philox.h"

namespace hone::device {

constexpr size_t k_tile = k_philox_batch;

// low + span · u, u from the top 24 bits of a word.
void tile_uniform(double* out, const uint32_t* words, double low, double span);
// mean + deviation · z, z from all eight halves of a block.
void tile_normal(double* out, const PhiloxBatch& batch, double mean, double deviation);
// low + ⌊w · count ÷ 2^64⌋, w = high word · 2^32 + low word. count < 2^32.
void tile_integers(uint64_t* out, const uint32_t* low_words, const uint32_t* high_words, uint64_t low, uint32_t count);
// low + ⌊w · count ÷ 2^32⌋.
void tile_few_integers(uint64_t* out, const uint32_t* words, uint64_t low, uint32_t count);

// Rounded once, to nearest even. f16 and bf16: finite values and infinities only.
void tile_to_f32(float* out, const double* values);
void tile_to_f16(uint16_t* out, const double* values);
void tile_to_bf16(uint16_t* out, const double* values);
// The low bits.
void tile_narrow(uint8_t* out, const uint64_t* values);
void tile_narrow(uint16_t* out, const uint64_t* values);
void tile_narrow(uint32_t* out, const uint64_t* values);

}  // namespace hone::device
