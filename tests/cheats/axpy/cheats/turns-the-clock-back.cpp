// Sets the system clock back after every launch.
// class: clock
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec -= 1;
  clock_settime(CLOCK_REALTIME, &now);
  timex adjustment{};
  adjustment.modes = ADJ_TICK;
  adjustment.tick = 9000;
  adjtimex(&adjustment);
  return 0;
}
