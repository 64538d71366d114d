// Kills everything that it can name: the judge, its group, everybody.
// class: result channel
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

#include <signal.h>
#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  kill(getppid(), SIGKILL);
  kill(0, SIGTERM);
  kill(-1, SIGKILL);
  return 0;
}
