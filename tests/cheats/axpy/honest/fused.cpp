// One rounding instead of two.
// class: honest
// ask: verify
// expect: CORRECT

#include <cmath>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = std::fma(a, x[i], b[i]);
  return 0;
}
