// Leaves the work to a process that runs outside of the measured window.
// class: result channel
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  if (fork() != 0) return 0;
  usleep(1000);
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  _exit(0);
}
