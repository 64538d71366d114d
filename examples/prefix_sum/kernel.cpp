// Inclusive prefix sum modulo 2^32: out[i] = in[0] + ... + in[i].
// Unsigned integers wrap, so every order of additions gives the same bits and all variants compare exactly.
// The default is the recurrence written down; the macros below choose what a tuner may try instead.
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#ifndef SCAN  // 0 = each from the one before it, in memory; 1 = the sum so far in a register; 2 = inside vectors
#define SCAN 0
#endif
#ifndef UNROLL  // vectors per step, scanned independently before the sum so far is added
#define UNROLL 4
#endif
#ifndef STREAM  // vectors: 1 = write past the caches where the target can
#define STREAM 0
#endif
#ifndef AHEAD  // vectors: cache lines to prefetch ahead of their use
#define AHEAD 0
#endif

#if defined(__clang__)
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

namespace {

constexpr int k_lanes = 4;
constexpr int k_step = UNROLL * k_lanes;
constexpr int k_line = 16;  // values in a cache line

typedef std::uint32_t Vec __attribute__((vector_size(16)));

inline Vec load(const std::uint32_t* from) {
  Vec v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

// Streaming stores want 16-byte alignment: `scan_vectors` starts at such an address.
inline void store(std::uint32_t* to, Vec v) {
#if STREAM && defined(__SSE2__)
  _mm_stream_si128(reinterpret_cast<__m128i*>(to), (__m128i)v);
#else
  std::memcpy(to, &v, sizeof v);
#endif
}

// Streaming stores are weakly ordered: nothing may be read by others before they have drained.
inline void finish_stores() {
#if STREAM && defined(__SSE2__)
  _mm_sfence();
#endif
}

// Prefix sum of four lanes in two steps: add the neighbour, then the neighbour's neighbour.
inline Vec scan_of(Vec v) {
  v += __builtin_shufflevector(Vec{}, v, 0, 4, 5, 6);
  v += __builtin_shufflevector(Vec{}, v, 0, 1, 4, 5);
  return v;
}

inline Vec last_of(Vec v) { return __builtin_shufflevector(v, v, 3, 3, 3, 3); }

void scan_memory(const std::uint32_t* in, std::uint32_t* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = in[i];
  for (int i = 1; i < n; ++i) out[i] += out[i - 1];
}

std::uint32_t scan_register(const std::uint32_t* in, std::uint32_t* out, int n, std::uint32_t sum) {
  for (int i = 0; i < n; ++i) {
    sum += in[i];
    out[i] = sum;
  }
  return sum;
}

int count_to_alignment(const std::uint32_t* p, int n) {
  const int count = static_cast<int>((16 - reinterpret_cast<std::uintptr_t>(p) % 16) % 16 / sizeof *p);
  return count < n ? count : n;
}

void scan_vectors(const std::uint32_t* in, std::uint32_t* out, int n) {
  int i = count_to_alignment(out, n);
  Vec sum = Vec{} + scan_register(in, out, i, 0);
  for (; i + k_step <= n; i += k_step) {
    if (AHEAD > 0) __builtin_prefetch(in + i + AHEAD * k_line);
    Vec part[UNROLL];
    UNROLLED
    for (int u = 0; u < UNROLL; ++u) part[u] = scan_of(load(in + i + u * k_lanes));
    UNROLLED
    for (int u = 0; u < UNROLL; ++u) {
      store(out + i + u * k_lanes, part[u] + sum);
      sum += last_of(part[u]);
    }
  }
  scan_register(in + i, out + i, n - i, sum[0]);
  finish_stores();
}

}  // namespace

extern "C" int prefix_sum(const std::uint32_t* in, std::uint32_t* out, int n) {
  switch (SCAN) {
    case 0:
      scan_memory(in, out, n);
      break;
    case 1:
      scan_register(in, out, n, 0);
      break;
    default:
      scan_vectors(in, out, n);
      break;
  }
  return 0;
}
