// Sets up a ring of asynchronous requests that would move data after the window.
// class: asynchrony
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written) | RUNTIME_ERROR (crashed)

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  char parameters[256];
  memset(parameters, 0, sizeof parameters);
  const long ring = syscall(SYS_io_uring_setup, 8, parameters);
  if (ring >= 0) {
    for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  }
  return 0;
}
