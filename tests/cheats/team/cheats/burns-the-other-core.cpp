// Leaves a thread behind that burns a core while the incumbent is measured.
// class: asynchrony
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE
// cores: 2

#include <pthread.h>

static void* burn(void*) {
  volatile unsigned long spin = 0;
  for (;;) spin = spin + 1;
  return nullptr;
}

extern "C" int team(const float* x, const float* b, float* out, float a, int n) {
  static pthread_t thread;
  if (thread == 0) pthread_create(&thread, nullptr, burn, nullptr);
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
