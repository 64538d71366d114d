// Closes every descriptor, so that whoever waits for a message hears an end.
// class: result channel
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int fd = 0; fd < 1024; ++fd) close(fd);
  return 0;
}
