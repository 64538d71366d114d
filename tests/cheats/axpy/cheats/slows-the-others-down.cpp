// Takes processor time away from the incumbent: priority, affinity, scheduling class.
// class: clock
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  setpriority(PRIO_PROCESS, 0, -20);
  setpriority(PRIO_PROCESS, static_cast<id_t>(getppid()), 19);
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  sched_setaffinity(getppid(), sizeof first, &first);
  sched_param highest{99};
  sched_setscheduler(0, SCHED_FIFO, &highest);
  return 0;
}
