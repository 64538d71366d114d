// Pretends to be stopped by the judge, so that its clock runs on while nothing happens.
// class: result channel
// ask: verify
// expect: TIMEOUT (deadline) | INCORRECT_NUMERICAL

#include <signal.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  raise(SIGSTOP);
  return 0;
}
