// RMS norm of each row: out[r][c] = in[r][c] / sqrt(mean over the row of in^2 + epsilon) * weight[c].
// The defaults are the definition written down; the macros below choose what a tuner may try instead.
#include <cmath>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#ifndef VECTORS  // 0 = one value at a time, 1 = vectors
#define VECTORS 0
#endif
#ifndef DIVIDE  // 0 = divide each value, 1 = multiply by the reciprocal
#define DIVIDE 0
#endif
#ifndef UNROLL  // vectors per step, each with a sum of its own
#define UNROLL 2
#endif
#ifndef STREAM  // 1 = write past the caches where the target can
#define STREAM 0
#endif
#ifndef AHEAD  // rows to prefetch ahead of their use
#define AHEAD 0
#endif
#ifndef LANES  // floats in a vector; 0 = as many as a register of the target holds
#define LANES 0
#endif

#if LANES == 0
#undef LANES
#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX__)
#define LANES 8
#else
#define LANES 4
#endif
#endif

#if defined(__clang__)
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors never cross the boundary of this file

namespace {

constexpr int k_step = UNROLL * LANES;
constexpr int k_line = 16;  // floats in a cache line

typedef float Vec __attribute__((vector_size(LANES * sizeof(float))));

inline float scaled(float x, float rms, float reciprocal) { return DIVIDE ? x * reciprocal : x / rms; }
inline Vec scaled(const Vec& x, float rms, float reciprocal) { return DIVIDE ? x * reciprocal : x / rms; }

inline Vec load(const float* from) {
  Vec v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

inline void store(float* to, const Vec& v) { std::memcpy(to, &v, sizeof v); }

inline bool aligned(const float* p) { return reinterpret_cast<std::uintptr_t>(p) % sizeof(Vec) == 0; }

// Past the caches; `to` is aligned to a whole vector.
inline void stream(float* to, const Vec& v) {
#if defined(__AVX512F__) && LANES == 16
  _mm512_stream_ps(to, v);
#elif defined(__AVX__) && LANES == 8
  _mm256_stream_ps(to, v);
#elif defined(__SSE2__) && LANES == 4
  _mm_stream_ps(to, v);
#else
  store(to, v);
#endif
}

// Streaming stores are weakly ordered: nothing may be read by others before they have drained.
inline void finish_stores() {
#if STREAM && defined(__SSE2__)
  _mm_sfence();
#endif
}

inline float squares(const float* x, int n) {
  float sum = 0.0f;
  for (int c = 0; c < n; ++c) sum += x[c] * x[c];
  return sum;
}

inline float vector_squares(const float* x, int n) {
  Vec sum[UNROLL] = {};
  int c = 0;
  for (; c + k_step <= n; c += k_step) {
    UNROLLED
    for (int u = 0; u < UNROLL; ++u) {
      const Vec v = load(x + c + u * LANES);
      sum[u] += v * v;
    }
  }
  UNROLLED
  for (int u = 1; u < UNROLL; ++u) sum[0] += sum[u];
  float total = squares(x + c, n - c);
  for (int i = 0; i < LANES; ++i) total += sum[0][i];
  return total;
}

inline void scale(const float* x, const float* weight, float* y, int n, float rms) {
  const float reciprocal = 1.0f / rms;
  for (int c = 0; c < n; ++c) y[c] = scaled(x[c], rms, reciprocal) * weight[c];
}

inline void vector_scale(const float* x, const float* weight, float* y, int n, float rms) {
  const float reciprocal = 1.0f / rms;
  const bool past_caches = STREAM && aligned(y);
  int c = 0;
  for (; c + k_step <= n; c += k_step) {
    UNROLLED
    for (int u = 0; u < UNROLL; ++u) {
      const int at = c + u * LANES;
      const Vec v = scaled(load(x + at), rms, reciprocal) * load(weight + at);
      if (past_caches) {
        stream(y + at, v);
      } else {
        store(y + at, v);
      }
    }
  }
  scale(x + c, weight + c, y + c, n - c, rms);
}

inline void prefetch(const float* x, int n) {
  for (int c = 0; c < n; c += k_line) __builtin_prefetch(x + c);
}

inline void rmsnorm_row(const float* x, const float* weight, float* y, float epsilon, int n) {
  const float sum = VECTORS ? vector_squares(x, n) : squares(x, n);
  const float rms = std::sqrt(sum / static_cast<float>(n) + epsilon);
  if (VECTORS) return vector_scale(x, weight, y, n, rms);
  scale(x, weight, y, n, rms);
}

}  // namespace

extern "C" int rmsnorm(const float* in, const float* weight, float* out, float epsilon, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    const long start = static_cast<long>(r) * cols;
    if (AHEAD > 0 && r + AHEAD < rows) prefetch(in + start + static_cast<long>(AHEAD) * cols, cols);
    rmsnorm_row(in + start, weight, out + start, epsilon, cols);
  }
  finish_stores();
  return 0;
}
