// Uses more threads than the contract allows.
// class: asynchrony
// ask: verify
// expect: VIOLATION (threads)
// cores: 2

#include <pthread.h>
#include <unistd.h>

static void* wait(void*) {
  for (;;) pause();
  return nullptr;
}

extern "C" int team(const float* x, const float* b, float* out, float a, int n) {
  pthread_t thread;
  for (int i = 0; i < 3; ++i) pthread_create(&thread, nullptr, wait, nullptr);
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
