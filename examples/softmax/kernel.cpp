// Softmax of each row: out[r][c] = exp(in[r][c] - top) / sum over the row of the same, top = the row's maximum.
// The defaults are the definition written down; the macros below choose what a tuner may try instead.
#include <cmath>
#include <cstdint>
#include <cstring>

#ifndef SWEEPS  // 0 = exp once for the sum and again for the result, 1 = keep the first exp in out, 2 = online maximum
#define SWEEPS 0
#endif
#ifndef EXP  // 0 = the library's, one value at a time; 1 = a polynomial on vectors
#define EXP 0
#endif
#ifndef DIVIDE  // 0 = divide each value, 1 = multiply by the reciprocal
#define DIVIDE 0
#endif
#ifndef UNROLL  // vectors per step, each with a maximum and a sum of its own
#define UNROLL 1
#endif
#ifndef LANES  // floats in a vector; 0 = as many as a register of the target holds
#define LANES 0
#endif

#if defined(__clang__)
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors never cross the boundary of this file

namespace {

#if LANES > 0
constexpr int k_lanes = LANES;
#elif defined(__AVX512F__)
constexpr int k_lanes = 16;
#elif defined(__AVX__)
constexpr int k_lanes = 8;
#else
constexpr int k_lanes = 4;
#endif
constexpr int k_step = UNROLL * k_lanes;
constexpr float k_nothing = -3.0e38f;  // below every maximum, and exp of it is as good as zero

typedef float Vec __attribute__((vector_size(k_lanes * sizeof(float))));
typedef std::uint32_t Bits __attribute__((vector_size(k_lanes * sizeof(float))));

inline float scaled(float value, float sum, float reciprocal) { return DIVIDE ? value * reciprocal : value / sum; }
inline Vec scaled(const Vec& value, float sum, float reciprocal) { return DIVIDE ? value * reciprocal : value / sum; }

// One value at a time, exp from the library.

inline float maximum(const float* x, int n) {
  float top = x[0];
  for (int c = 1; c < n; ++c) {
    if (x[c] > top) top = x[c];
  }
  return top;
}

inline void softmax_twice(const float* x, float* y, int n) {
  const float top = maximum(x, n);
  float sum = 0.0f;
  for (int c = 0; c < n; ++c) sum += std::exp(x[c] - top);
  for (int c = 0; c < n; ++c) y[c] = scaled(std::exp(x[c] - top), sum, 1.0f / sum);
}

inline void softmax_kept(const float* x, float* y, int n) {
  const float top = maximum(x, n);
  float sum = 0.0f;
  for (int c = 0; c < n; ++c) {
    y[c] = std::exp(x[c] - top);
    sum += y[c];
  }
  const float reciprocal = 1.0f / sum;
  for (int c = 0; c < n; ++c) y[c] = scaled(y[c], sum, reciprocal);
}

// Maximum and sum in one sweep: the sum is rescaled whenever a larger value appears.
inline void softmax_online(const float* x, float* y, int n) {
  float top = x[0];
  float sum = 1.0f;
  for (int c = 1; c < n; ++c) {
    if (x[c] > top) {
      sum = sum * std::exp(top - x[c]) + 1.0f;
      top = x[c];
    } else {
      sum += std::exp(x[c] - top);
    }
  }
  const float reciprocal = 1.0f / sum;
  for (int c = 0; c < n; ++c) y[c] = scaled(std::exp(x[c] - top), sum, reciprocal);
}

// Vectors, exp from a polynomial.

inline Vec load(const float* from) {
  Vec v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

inline Vec load_some(const float* from, int count) {
  Vec v = Vec{} + k_nothing;
  std::memcpy(&v, from, static_cast<std::size_t>(count) * sizeof(float));
  return v;
}

inline void store(float* to, const Vec& v) { std::memcpy(to, &v, sizeof v); }

inline void store_some(float* to, const Vec& v, int count) {
  std::memcpy(to, &v, static_cast<std::size_t>(count) * sizeof(float));
}

inline Vec larger(const Vec& a, const Vec& b) { return a > b ? a : b; }

// exp(x), x <= 0, as 2^n * exp(r) with |r| <= ln(2) / 2, where the series to r^7 / 7! is right within 2^-27.
// Adding 1.5 * 2^23 rounds to a whole n and leaves it in the low bits. Below -87 the result is held at exp(-87).
inline Vec exp_of(const Vec& argument) {
  const Vec x = larger(argument, Vec{} - 87.0f);
  const Vec shifted = x * 1.44269504f + 12582912.0f;
  const Vec n = shifted - 12582912.0f;
  const Vec r = (x - n * 0.693359375f) + n * 2.12194440e-4f;  // ln(2) in two parts, the first exact times n
  Vec series = r * (1.0f / 5040) + (1.0f / 720);
  series = series * r + (1.0f / 120);
  series = series * r + (1.0f / 24);
  series = series * r + (1.0f / 6);
  series = series * r + 0.5f;
  series = series * r + 1.0f;
  series = series * r + 1.0f;
  return (Vec)((Bits)series + ((Bits)shifted << 23));
}

inline float maximum_of(const Vec& v) {
  float top = v[0];
  for (int i = 1; i < k_lanes; ++i) top = v[i] > top ? v[i] : top;
  return top;
}

inline float sum_of(const Vec& v) {
  float sum = 0.0f;
  for (int i = 0; i < k_lanes; ++i) sum += v[i];
  return sum;
}

inline float vector_maximum(const float* x, int n) {
  Vec top[UNROLL];
  UNROLLED
  for (int u = 0; u < UNROLL; ++u) top[u] = Vec{} + k_nothing;
  int c = 0;
  for (; c + k_step <= n; c += k_step) {
    UNROLLED
    for (int u = 0; u < UNROLL; ++u) top[u] = larger(load(x + c + u * k_lanes), top[u]);
  }
  for (; c + k_lanes <= n; c += k_lanes) top[0] = larger(load(x + c), top[0]);
  if (c < n) top[0] = larger(load_some(x + c, n - c), top[0]);
  UNROLLED
  for (int u = 1; u < UNROLL; ++u) top[0] = larger(top[u], top[0]);
  return maximum_of(top[0]);
}

// The sum of exp(x - top); also left in y when it is to be kept.
inline float vector_sum(const float* x, float* y, int n, float top) {
  Vec sum[UNROLL] = {};
  int c = 0;
  for (; c + k_step <= n; c += k_step) {
    UNROLLED
    for (int u = 0; u < UNROLL; ++u) {
      const Vec e = exp_of(load(x + c + u * k_lanes) - top);
      if (SWEEPS == 1) store(y + c + u * k_lanes, e);
      sum[u] += e;
    }
  }
  for (; c < n; c += k_lanes) {
    const int count = n - c < k_lanes ? n - c : k_lanes;
    const Vec e = exp_of(load_some(x + c, count) - top);
    if (SWEEPS == 1) store_some(y + c, e, count);
    sum[0] += e;
  }
  UNROLLED
  for (int u = 1; u < UNROLL; ++u) sum[0] += sum[u];
  return sum_of(sum[0]);
}

inline void vector_scale(const float* x, float* y, int n, float top, float sum) {
  const float reciprocal = 1.0f / sum;
  int c = 0;
  for (; c + k_step <= n; c += k_step) {
    UNROLLED
    for (int u = 0; u < UNROLL; ++u) {
      const int at = c + u * k_lanes;
      store(y + at, scaled(SWEEPS == 1 ? load(y + at) : exp_of(load(x + at) - top), sum, reciprocal));
    }
  }
  for (; c < n; c += k_lanes) {
    const int count = n - c < k_lanes ? n - c : k_lanes;
    const Vec e = SWEEPS == 1 ? load_some(y + c, count) : exp_of(load_some(x + c, count) - top);
    store_some(y + c, scaled(e, sum, reciprocal), count);
  }
}

// Each lane keeps a maximum and a sum of its own, rescaled as it goes; the lanes meet at the end.
struct Online {
  float top;
  float sum;
};

inline void include(const Vec& x, Vec& top, Vec& sum) {
  const Vec next = larger(x, top);
  sum = sum * exp_of(top - next) + exp_of(x - next);
  top = next;
}

inline Online vector_online(const float* x, int n) {
  Vec top = Vec{} + k_nothing;
  Vec sum = {};
  int c = 0;
  for (; c + k_lanes <= n; c += k_lanes) include(load(x + c), top, sum);
  if (c < n) include(load_some(x + c, n - c), top, sum);
  const float row_top = maximum_of(top);
  return {row_top, sum_of(sum * exp_of(top - row_top))};
}

inline void softmax_vectors(const float* x, float* y, int n) {
  if (SWEEPS == 2) {
    const Online row = vector_online(x, n);
    return vector_scale(x, y, n, row.top, row.sum);
  }
  const float top = vector_maximum(x, n);
  vector_scale(x, y, n, top, vector_sum(x, y, n, top));
}

inline void softmax_row(const float* x, float* y, int n) {
  if (EXP) return softmax_vectors(x, y, n);
  switch (SWEEPS) {
    case 0:
      return softmax_twice(x, y, n);
    case 1:
      return softmax_kept(x, y, n);
    default:
      return softmax_online(x, y, n);
  }
}

}  // namespace

extern "C" int softmax(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    const long start = static_cast<long>(r) * cols;
    softmax_row(in + start, out + start, cols);
  }
  return 0;
}
