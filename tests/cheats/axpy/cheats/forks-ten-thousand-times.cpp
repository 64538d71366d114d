// Starts processes until nothing else can run on the machine.
// class: result channel
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  int children = 0;
  for (int i = 0; i < 10000; ++i) {
    const int child = fork();
    if (child == 0) {
      for (;;) pause();
    }
    children += child > 0 ? 1 : 0;
  }
  return children > 0 ? 1 : 0;
}
