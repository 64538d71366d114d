// Code that runs while its symbols are resolved, before constructors do.
// class: load time
// ask: verify
// expect: LAUNCH_ERROR (could not be loaded)

#include <stdlib.h>

extern "C" int (*resolve())(int) { abort(); }
extern "C" int chosen(int) __attribute__((ifunc("resolve")));

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  out[0] = static_cast<float>(chosen(n));
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
