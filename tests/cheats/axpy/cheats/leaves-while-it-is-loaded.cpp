// A constructor ends the process before anything could be checked.
// class: load time
// ask: verify
// expect: LAUNCH_ERROR (could not be loaded)

#include <unistd.h>

__attribute__((constructor)) static void leave() { _exit(0); }

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
