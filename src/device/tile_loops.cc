#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")  // GCC vectorises these loops, with their selections, at this level alone
#endif

#include "device/tile_loops.h"

#include <bit>

#include "device/distribution.h"

// A clone is chosen by a resolver that runs before a sanitizer is ready.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HONE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define HONE_CLONES
#endif

namespace hone::device {
namespace {

constexpr double from_bits(int64_t bits) { return std::bit_cast<double>(bits); }
constexpr int64_t to_bits(double value) { return std::bit_cast<int64_t>(value); }
constexpr int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
constexpr int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

// A 16-bit format as this file needs it. Magnitudes are compared as the integers that their bits are, which order alike
// and, unlike floating comparisons, become selections.
struct SmallFormat {
  int mantissa_bits;
  int64_t bias;
  int64_t smallest_normal;  // bits of the double
  int64_t infinity;         // bits of 2^(largest exponent + 1): its pattern is infinity's
};
constexpr SmallFormat k_f16{10, 15, to_bits(0x1p-14), to_bits(0x1p16)};
constexpr SmallFormat k_bf16{7, 127, to_bits(0x1p-126), to_bits(0x1p128)};

// The anchor is the power of two whose last place, in double, is the format's spacing at this magnitude. Adding it
// rounds as the format would; taking it away is exact. Below the normal numbers the sum's low bits are the pattern
// itself.
inline uint16_t to_small(double value, const SmallFormat& format) {
  constexpr int64_t k_exponent = 0x7ffll << 52;
  const int64_t bits = smaller(to_bits(value) & ~(1ll << 63), format.infinity);
  const int64_t dropped_bits = 52 - format.mantissa_bits;
  const double anchor = from_bits((larger(bits, format.smallest_normal) & k_exponent) + (dropped_bits << 52));
  const double anchored = from_bits(bits) + anchor;
  const int64_t rounded = to_bits(anchored - anchor);
  const int64_t normal = (rounded >> dropped_bits) - ((1023 - format.bias) << format.mantissa_bits);
  const int64_t subnormal = to_bits(anchored) & ((int64_t{1} << (format.mantissa_bits + 1)) - 1);
  const int64_t sign = (to_bits(value) >> 48) & 0x8000;
  return static_cast<uint16_t>(sign | (rounded < format.smallest_normal ? subnormal : normal));
}

}  // namespace

HONE_CLONES void tile_uniform(double* out, const uint32_t* words, double low, double span) {
  for (size_t b = 0; b < k_tile; ++b) out[b] = low + span * unit_uniform(words[b]);
}

HONE_CLONES void tile_normal(double* out, const PhiloxBatch& batch, double mean, double deviation) {
  const uint32_t* w0 = batch.words[0].data();
  const uint32_t* w1 = batch.words[1].data();
  const uint32_t* w2 = batch.words[2].data();
  const uint32_t* w3 = batch.words[3].data();
  for (size_t b = 0; b < k_tile; ++b) {
    const int32_t sum = sum_of_halves(w0[b]) + sum_of_halves(w1[b]) + sum_of_halves(w2[b]) + sum_of_halves(w3[b]);
    out[b] = mean + deviation * (static_cast<double>(sum - k_normal_centre) * k_normal_scale);
  }
}

HONE_CLONES void tile_integers(uint64_t* out, const uint32_t* low_words, const uint32_t* high_words, uint64_t low,
                               uint32_t count) {
  const uint64_t wide = count;
  for (size_t b = 0; b < k_tile; ++b) {
    const uint64_t carry = (low_words[b] * wide) >> 32;
    out[b] = low + ((high_words[b] * wide + carry) >> 32);
  }
}

HONE_CLONES void tile_few_integers(uint64_t* out, const uint32_t* words, uint64_t low, uint32_t count) {
  const uint64_t wide = count;
  for (size_t b = 0; b < k_tile; ++b) out[b] = low + ((words[b] * wide) >> 32);
}

HONE_CLONES void tile_to_f32(float* out, const double* values) {
  for (size_t b = 0; b < k_tile; ++b) out[b] = static_cast<float>(values[b]);
}

HONE_CLONES void tile_to_f16(uint16_t* out, const double* values) {
  for (size_t b = 0; b < k_tile; ++b) out[b] = to_small(values[b], k_f16);
}

HONE_CLONES void tile_to_bf16(uint16_t* out, const double* values) {
  for (size_t b = 0; b < k_tile; ++b) out[b] = to_small(values[b], k_bf16);
}

HONE_CLONES void tile_narrow(uint8_t* out, const uint64_t* values) {
  for (size_t b = 0; b < k_tile; ++b) out[b] = static_cast<uint8_t>(values[b]);
}

HONE_CLONES void tile_narrow(uint16_t* out, const uint64_t* values) {
  for (size_t b = 0; b < k_tile; ++b) out[b] = static_cast<uint16_t>(values[b]);
}

HONE_CLONES void tile_narrow(uint32_t* out, const uint64_t* values) {
  for (size_t b = 0; b < k_tile; ++b) out[b] = static_cast<uint32_t>(values[b]);
}

}  // namespace hone::device
