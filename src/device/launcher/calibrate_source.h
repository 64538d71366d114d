// The kernels that calibrate a device, behind the prelude of duties_source.h.
#pragma once

#include <string_view>

namespace hone::device::launcher {

inline constexpr std::string_view k_calibrate_source = R"(
KERNEL hone_nothing(GLOBAL uint4* to) {}

// What was read is added up, and written only if it has one value of 2^32.
KERNEL hone_read(GLOBAL const uint4* from, GLOBAL uint4* to, i64 count, int passes) {
  u32 sum = 0;
  for (int pass = 0; pass < passes; ++pass) {
    for (i64 i = (i64)THREAD; i < count; i += (i64)THREADS) {
      const uint4 value = from[i];
      sum += value.x ^ value.y ^ value.z ^ value.w;
    }
  }
  if (sum == 0x5bd1e995u) to[0].x = sum;
}

KERNEL hone_copy(GLOBAL const uint4* from, GLOBAL uint4* to, i64 count, int passes) {
  for (int pass = 0; pass < passes; ++pass) {
    for (i64 i = (i64)THREAD; i < count; i += (i64)THREADS) {
      uint4 value = from[i];
      value.x += (u32)pass;
      to[i] = value;
    }
  }
}

// Eight chains of multiply and add: more than a pipeline is deep where threads are many.
#define CHAINS(type, name)                                                                             \
  KERNEL name(GLOBAL uint4* to, i64 steps) {                                                           \
    type a[8];                                                                                         \
    for (int k = 0; k < 8; ++k) a[k] = (type)(THREAD + (u64)k);                                        \
    for (i64 i = 0; i < steps; ++i) {                                                                  \
      for (int k = 0; k < 8; ++k) a[k] = fma(a[k], (type)0.999, (type)0.001);                          \
    }                                                                                                  \
    type sum = 0;                                                                                      \
    for (int k = 0; k < 8; ++k) sum += a[k];                                                           \
    if (sum == (type)-1) to[0].x = 1;                                                                  \
  }
CHAINS(float, hone_chains_f32)
CHAINS(double, hone_chains_f64)
)";

}  // namespace hone::device::launcher
