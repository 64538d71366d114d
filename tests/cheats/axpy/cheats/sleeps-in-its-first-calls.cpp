// Sleeps while it is warmed up, so that a harness which adapts its repeat count measures very little.
// class: clock
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

#include <unistd.h>

static int calls = 0;

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  if (++calls < 4) usleep(20000);
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
