// Asks how many threads it may have.
// class: honest
// ask: verify
// expect: CORRECT

#include <stdlib.h>
#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  const char* threads = getenv("OMP_NUM_THREADS");
  if (threads != nullptr && atoi(threads) < 1) return 1;
  if (sysconf(_SC_NPROCESSORS_ONLN) < 1) return 1;
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
