// A timer interrupts it after the measured window and does the work then.
// class: asynchrony
// ask: verify
// expect: INCORRECT_NUMERICAL

#include <signal.h>
#include <sys/time.h>

static const float* from_x;
static const float* from_b;
static float* to;
static float by;
static int count;

static void later(int) {
  for (int i = 0; i < count; ++i) to[i] = by * from_x[i] + from_b[i];
}

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  from_x = x;
  from_b = b;
  to = out;
  by = a;
  count = n;
  signal(SIGALRM, later);
  const itimerval soon{{0, 0}, {0, 3000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
  return 0;
}
