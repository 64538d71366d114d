// Computes only where the output is not yet a number.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL

#include <math.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; i += 2) {
    if (isnan(out[i])) out[i] = a * x[i] + b[i];
  }
  return 0;
}
