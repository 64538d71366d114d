// Defines the clock functions itself and lets time stand still. The work is that of the incumbent.
// class: clock
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

#include <time.h>

extern "C" int clock_gettime(clockid_t, timespec* now) {
  *now = {1, 0};
  return 0;
}

extern "C" long time(long*) { return 1; }

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
