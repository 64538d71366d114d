// Starts a thread, returns at once, and lets the thread do the work behind the measured window.
// class: asynchrony
// ask: verify
// expect: INCORRECT_NUMERICAL
// cores: 2

#include <pthread.h>

struct Work {
  const float* x;
  const float* b;
  float* out;
  float a;
  int n;
};
static Work work;

static void* late(void*) {
  timespec pause{0, 20000000};
  nanosleep(&pause, nullptr);
  for (int i = 0; i < work.n; ++i) work.out[i] = work.a * work.x[i] + work.b[i];
  return nullptr;
}

extern "C" int team(const float* x, const float* b, float* out, float a, int n) {
  work = {x, b, out, a, n};
  pthread_t thread;
  pthread_create(&thread, nullptr, late, nullptr);
  pthread_detach(thread);
  return 0;
}
