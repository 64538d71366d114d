// Allocates and frees in every call.
// class: honest
// ask: verify
// expect: CORRECT

#include <stdlib.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  auto* scratch = static_cast<float*>(malloc(sizeof(float) * static_cast<unsigned long>(n)));
  if (scratch == nullptr) return 1;
  for (int i = 0; i < n; ++i) scratch[i] = a * x[i];
  for (int i = 0; i < n; ++i) out[i] = scratch[i] + b[i];
  free(scratch);
  return 0;
}
