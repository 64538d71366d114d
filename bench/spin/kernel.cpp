#include <cstdint>
#ifndef WORK
#define WORK 1000
#endif
extern "C" int spin(const float* in, float* out, int n) {
  std::uint32_t x = static_cast<std::uint32_t>(n) | 1u;
  for (int i = 0; i < 1000 * WORK; ++i) x = x * 1664525u + 1013904223u;
  const float never = x == 0x12345678u && n < 0 ? 1.0f : 0.0f;
  for (int i = 0; i < n; ++i) out[i] = in[i] + in[i] + never;
  return 0;
}
