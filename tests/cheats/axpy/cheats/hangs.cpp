// Never comes back and ignores every signal that can be ignored.
// class: result channel
// ask: verify
// expect: TIMEOUT (deadline)

#include <signal.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int number = 1; number < 65; ++number) signal(number, SIG_IGN);
  volatile int forever = 1;
  while (forever != 0) {
  }
  return 0;
}
