// Depends on memory that nobody wrote; most of the time it is zero.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL

#include <stdlib.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  auto* scratch = static_cast<float*>(malloc(sizeof(float) * static_cast<unsigned long>(n)));
  for (int i = 0; i < n; ++i) {
    if (scratch[i] < 1e-30f) out[i] = a * x[i] + b[i];
  }
  for (int i = 0; i < n; ++i) scratch[i] = 1.0f;
  free(scratch);
  return 0;
}
