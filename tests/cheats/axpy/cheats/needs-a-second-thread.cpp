// Hands the work to a thread although the contract allows one.
// class: asynchrony
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

#include <pthread.h>

struct Work {
  const float* x;
  const float* b;
  float* out;
  float a;
  int n;
};

static void* compute(void* given) {
  const Work& work = *static_cast<Work*>(given);
  for (int i = 0; i < work.n; ++i) work.out[i] = work.a * work.x[i] + work.b[i];
  return nullptr;
}

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  Work work{x, b, out, a, n};
  pthread_t thread;
  if (pthread_create(&thread, nullptr, compute, &work) == 0) pthread_join(thread, nullptr);
  return 0;
}
