// Gravity of n bodies on each other: acceleration[i] = sum over j of m[j] * d / (|d|^2 + softening^2)^(3/2), with
// d = position[j] - position[i]. A body is x, y, z, mass; an acceleration x, y, z.
// The default is the formula written down; the macros below choose what a tuner may try instead.
#include <cmath>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#ifndef VECTORS  // 0 = one body at a time, 1 = vectors of bodies
#define VECTORS 0
#endif
#ifndef TARGETS  // vectors: how many of them are pulled at once
#define TARGETS 2
#endif
#ifndef ROOT  // 1 / sqrt: 0 = root and division, Newton's method from 1 = the exponent bits, 2 = the target's estimate
#define ROOT 0
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

typedef float Vec __attribute__((vector_size(LANES * sizeof(float))));
typedef std::uint32_t Bits __attribute__((vector_size(LANES * sizeof(float))));

// The widest piece of a Vec for which the target has a square root and an estimate of its reciprocal.
#if defined(__AVX512F__) && LANES == 16
typedef __m512 Part;
inline Part root_of(Part s) { return _mm512_maskz_sqrt_ps(0xffff, s); }
inline Part estimate_of(Part s) { return _mm512_maskz_rsqrt14_ps(0xffff, s); }
#elif defined(__AVX__) && LANES >= 8
typedef __m256 Part;
inline Part root_of(Part s) { return _mm256_sqrt_ps(s); }
inline Part estimate_of(Part s) { return _mm256_rsqrt_ps(s); }
#elif defined(__SSE2__)
typedef __m128 Part;
inline Part root_of(Part s) { return _mm_sqrt_ps(s); }
inline Part estimate_of(Part s) { return _mm_rsqrt_ps(s); }
#else
typedef float Part;
inline Part root_of(Part s) { return std::sqrt(s); }
inline Part estimate_of(Part s) { return 1.0f / std::sqrt(s); }
#endif

enum class Of { k_root, k_estimate };

template <Of What>
inline Vec by_parts(const Vec& from) {
  Vec v = from;
  UNROLLED
  for (std::size_t at = 0; at < sizeof v; at += sizeof(Part)) {
    Part part;
    std::memcpy(&part, reinterpret_cast<const char*>(&v) + at, sizeof part);
    part = What == Of::k_root ? root_of(part) : estimate_of(part);
    std::memcpy(reinterpret_cast<char*>(&v) + at, &part, sizeof part);
  }
  return v;
}

// One step doubles the number of right bits.
inline Vec improved(const Vec& y, const Vec& s) { return y * (1.5f - 0.5f * s * y * y); }

// Halving the exponent by a shift is right within 4 %, so three steps reach float; the estimates give at least 11 bits,
// so one step does. The ceiling on s keeps infinity, and so 0 * infinity, out of the steps.
inline Vec newton(const Vec& square) {
  const Vec s = square < 1e38f ? square : Vec{} + 1e38f;
  if (ROOT == 2) return improved(by_parts<Of::k_estimate>(s), s);
  const Vec y = (Vec)(0x5f375a86u - ((Bits)s >> 1));
  return improved(improved(improved(y, s), s), s);
}

inline Vec inverse_root(const Vec& s) { return ROOT ? newton(s) : 1.0f / by_parts<Of::k_root>(s); }

inline void pull_one(const float* bodies, float* acceleration, float softening, int n, int i) {
  float ax = 0.0f;
  float ay = 0.0f;
  float az = 0.0f;
  for (int j = 0; j < n; ++j) {
    const float dx = bodies[4 * j] - bodies[4 * i];
    const float dy = bodies[4 * j + 1] - bodies[4 * i + 1];
    const float dz = bodies[4 * j + 2] - bodies[4 * i + 2];
    const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
    const float pull = bodies[4 * j + 3] * inverse * inverse * inverse;
    ax += pull * dx;
    ay += pull * dy;
    az += pull * dz;
  }
  acceleration[3 * i] = ax;
  acceleration[3 * i + 1] = ay;
  acceleration[3 * i + 2] = az;
}

struct Vec3 {
  Vec x;
  Vec y;
  Vec z;
};

// LANES bodies from `first` on; past the end the last body is repeated.
inline Vec3 gather(const float* bodies, int n, int first) {
  Vec3 position;
  for (int lane = 0; lane < LANES; ++lane) {
    const int i = first + lane < n ? first + lane : n - 1;
    position.x[lane] = bodies[4 * i];
    position.y[lane] = bodies[4 * i + 1];
    position.z[lane] = bodies[4 * i + 2];
  }
  return position;
}

inline void scatter(const Vec3& value, float* acceleration, int n, int first) {
  for (int lane = 0; lane < LANES && first + lane < n; ++lane) {
    float* to = acceleration + 3 * (first + lane);
    to[0] = value.x[lane];
    to[1] = value.y[lane];
    to[2] = value.z[lane];
  }
}

// Body j pulls the bodies at `position`.
inline void pull(const float* body, const Vec3& position, float softening2, Vec3& sum) {
  const Vec dx = body[0] - position.x;
  const Vec dy = body[1] - position.y;
  const Vec dz = body[2] - position.z;
  const Vec inverse = inverse_root(dx * dx + dy * dy + dz * dz + softening2);
  const Vec strength = body[3] * inverse * inverse * inverse;
  sum.x += strength * dx;
  sum.y += strength * dy;
  sum.z += strength * dz;
}

inline void pull_many(const float* bodies, float* acceleration, float softening, int n, int first) {
  Vec3 position[TARGETS];
  Vec3 sum[TARGETS] = {};
  UNROLLED
  for (int t = 0; t < TARGETS; ++t) position[t] = gather(bodies, n, first + t * LANES);
  for (int j = 0; j < n; ++j) {
    UNROLLED
    for (int t = 0; t < TARGETS; ++t) pull(bodies + 4 * j, position[t], softening * softening, sum[t]);
  }
  UNROLLED
  for (int t = 0; t < TARGETS; ++t) scatter(sum[t], acceleration, n, first + t * LANES);
}

}  // namespace

extern "C" int nbody(const float* bodies, float* acceleration, float softening, int n) {
  if (VECTORS) {
    for (int i = 0; i < n; i += TARGETS * LANES) pull_many(bodies, acceleration, softening, n, i);
  } else {
    for (int i = 0; i < n; ++i) pull_one(bodies, acceleration, softening, n, i);
  }
  return 0;
}
