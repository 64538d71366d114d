// Dies in the launch after writing a right answer.
// class: result channel
// ask: verify
// expect: RUNTIME_ERROR (crashed)

#include <stdlib.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  abort();
}
