// GCC 12 takes the deliberately undefined operand inside its own AVX-512 intrinsics for a use of an uninitialised
// variable.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "device/philox.h"

#include <Random123/philox.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hone::device {
namespace {

constexpr int k_rounds = 10;

void batch_portable(PhiloxBatch& out, const PhiloxStream& stream, uint64_t first) {
  for (size_t b = 0; b < k_philox_batch; ++b) {
    const PhiloxBlock block = philox_block(stream, first + b);
    for (size_t w = 0; w < 4; ++w) out.words[w][b] = block[w];
  }
}

#if defined(__x86_64__)

// The vector paths keep each 32-bit word in the low half of a 64-bit lane and let the high half hold anything: the
// multiply reads low halves only, its low half is the next word as it stands, and a shift brings its high half down. No
// shuffles are needed.
#define HONE_AVX2 __attribute__((target("avx2"), always_inline)) inline
#define HONE_AVX512 __attribute__((target("avx512f"), always_inline)) inline

struct RoundKey {
  uint32_t first;
  uint32_t second;
};

std::array<RoundKey, k_rounds> round_keys(const PhiloxStream& stream) {
  std::array<RoundKey, k_rounds> keys{};
  RoundKey key{stream.key[0], stream.key[1]};
  for (RoundKey& k : keys) {
    k = key;
    key.first += PHILOX_W32_0;
    key.second += PHILOX_W32_1;
  }
  return keys;
}

struct Words256 {
  __m256i c0, c1, c2, c3;
};

HONE_AVX2 Words256 one_round(const Words256& s, __m256i k0, __m256i k1) {
  const __m256i p0 = _mm256_mul_epu32(s.c0, _mm256_set1_epi64x(PHILOX_M4x32_0));
  const __m256i p1 = _mm256_mul_epu32(s.c2, _mm256_set1_epi64x(PHILOX_M4x32_1));
  return {_mm256_xor_si256(_mm256_srli_epi64(p1, 32), _mm256_xor_si256(s.c1, k0)), p1,
          _mm256_xor_si256(_mm256_srli_epi64(p0, 32), _mm256_xor_si256(s.c3, k1)), p0};
}

HONE_AVX2 Words256 start256(const PhiloxStream& stream, uint64_t first) {
  const auto low = static_cast<long long>(first & 0xffffffffu);
  return {_mm256_add_epi64(_mm256_set1_epi64x(low), _mm256_set_epi64x(3, 2, 1, 0)),
          _mm256_set1_epi64x(static_cast<long long>(first >> 32)), _mm256_set1_epi64x(stream.upper_counter[0]),
          _mm256_set1_epi64x(stream.upper_counter[1])};
}

// The low halves of a's four lanes, then of b's.
HONE_AVX2 void store_low_halves(uint32_t* out, __m256i a, __m256i b) {
  const __m256 mixed = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88);
  const __m256i ordered = _mm256_permute4x64_epi64(_mm256_castps_si256(mixed), 0xd8);
  _mm256_store_si256(reinterpret_cast<__m256i*>(out), ordered);
}

__attribute__((target("avx2"))) void batch_avx2(PhiloxBatch& out, const PhiloxStream& stream, uint64_t first) {
  const auto keys = round_keys(stream);
  for (size_t b = 0; b < k_philox_batch; b += 8) {
    Words256 low = start256(stream, first + b);
    Words256 high = start256(stream, first + b + 4);
    for (const RoundKey& key : keys) {
      const __m256i k0 = _mm256_set1_epi64x(key.first);
      const __m256i k1 = _mm256_set1_epi64x(key.second);
      low = one_round(low, k0, k1);
      high = one_round(high, k0, k1);
    }
    store_low_halves(&out.words[0][b], low.c0, high.c0);
    store_low_halves(&out.words[1][b], low.c1, high.c1);
    store_low_halves(&out.words[2][b], low.c2, high.c2);
    store_low_halves(&out.words[3][b], low.c3, high.c3);
  }
}

struct Words512 {
  __m512i c0, c1, c2, c3;
};

HONE_AVX512 __m512i xor3(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }

HONE_AVX512 Words512 one_round(const Words512& s, __m512i k0, __m512i k1) {
  const __m512i p0 = _mm512_mul_epu32(s.c0, _mm512_set1_epi64(PHILOX_M4x32_0));
  const __m512i p1 = _mm512_mul_epu32(s.c2, _mm512_set1_epi64(PHILOX_M4x32_1));
  return {xor3(_mm512_srli_epi64(p1, 32), s.c1, k0), p1, xor3(_mm512_srli_epi64(p0, 32), s.c3, k1), p0};
}

HONE_AVX512 Words512 start512(const PhiloxStream& stream, uint64_t first) {
  const auto low = static_cast<long long>(first & 0xffffffffu);
  return {_mm512_add_epi64(_mm512_set1_epi64(low), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0)),
          _mm512_set1_epi64(static_cast<long long>(first >> 32)), _mm512_set1_epi64(stream.upper_counter[0]),
          _mm512_set1_epi64(stream.upper_counter[1])};
}

HONE_AVX512 void store_low_halves(uint32_t* out, __m512i a) {
  _mm256_store_si256(reinterpret_cast<__m256i*>(out), _mm512_cvtepi64_epi32(a));
}

HONE_AVX512 void store(PhiloxBatch& out, size_t at, const Words512& s) {
  store_low_halves(&out.words[0][at], s.c0);
  store_low_halves(&out.words[1][at], s.c1);
  store_low_halves(&out.words[2][at], s.c2);
  store_low_halves(&out.words[3][at], s.c3);
}

__attribute__((target("avx512f"))) void batch_avx512(PhiloxBatch& out, const PhiloxStream& stream, uint64_t first) {
  const auto keys = round_keys(stream);
  for (size_t b = 0; b < k_philox_batch; b += 32) {  // four at once hide the latency of the multiply
    Words512 s0 = start512(stream, first + b);
    Words512 s1 = start512(stream, first + b + 8);
    Words512 s2 = start512(stream, first + b + 16);
    Words512 s3 = start512(stream, first + b + 24);
    for (const RoundKey& key : keys) {
      const __m512i k0 = _mm512_set1_epi64(key.first);
      const __m512i k1 = _mm512_set1_epi64(key.second);
      s0 = one_round(s0, k0, k1);
      s1 = one_round(s1, k0, k1);
      s2 = one_round(s2, k0, k1);
      s3 = one_round(s3, k0, k1);
    }
    store(out, b, s0);
    store(out, b + 8, s1);
    store(out, b + 16, s2);
    store(out, b + 24, s3);
  }
}

#endif

}  // namespace

PhiloxBlock philox_block(const PhiloxStream& stream, uint64_t counter) {
  const r123::Philox4x32::ctr_type position = {{static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32),
                                                stream.upper_counter[0], stream.upper_counter[1]}};
  const r123::Philox4x32::key_type key = {{stream.key[0], stream.key[1]}};
  const auto words = r123::Philox4x32()(position, key);
  return {words[0], words[1], words[2], words[3]};
}

void philox_batch(PhiloxBatch& out, const PhiloxStream& stream, uint64_t first, PhiloxPath path) {
#if defined(__x86_64__)
  if (path == PhiloxPath::avx512) return batch_avx512(out, stream, first);
  if (path == PhiloxPath::avx2) return batch_avx2(out, stream, first);
#endif
  batch_portable(out, stream, first);
}

std::vector<PhiloxPath> philox_paths() {
  std::vector<PhiloxPath> paths{PhiloxPath::portable};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) paths.push_back(PhiloxPath::avx2);
  if (__builtin_cpu_supports("avx512f")) paths.push_back(PhiloxPath::avx512);
#endif
  return paths;
}

PhiloxPath fastest_philox_path() {
  static const PhiloxPath fastest = philox_paths().back();
  return fastest;
}

}  // namespace hone::device
