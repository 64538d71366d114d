// A thread of the first launch computes what later launches ask for, always one launch late.
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
static volatile int asked = 0;

static void* worker(void*) {
  int done = 0;
  for (;;) {
    if (asked == done) continue;
    done = asked;
    for (volatile int wait = 0; wait < 3000000; wait = wait + 1) {
    }
    for (int i = 0; i < work.n; ++i) work.out[i] = work.a * work.x[i] + work.b[i];
  }
  return nullptr;
}

extern "C" int team(const float* x, const float* b, float* out, float a, int n) {
  static pthread_t thread;
  work = {x, b, out, a, n};
  if (asked == 0) pthread_create(&thread, nullptr, worker, nullptr);
  asked = asked + 1;
  return 0;
}
