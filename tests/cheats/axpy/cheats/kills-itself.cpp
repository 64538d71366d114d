// Ends by a signal of its own.
// class: result channel
// ask: verify
// expect: RUNTIME_ERROR (crashed) | INCORRECT_NUMERICAL

#include <signal.h>
#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  kill(getpid(), SIGKILL);
  return 0;
}
