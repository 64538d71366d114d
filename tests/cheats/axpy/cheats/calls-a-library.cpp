// Leaves the work to a library of the system, where the contract asks for a kernel: whoever finds one could find a
// tuned one.
// class: library calls
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)
// layer: mount-namespace

#include <dlfcn.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  void* library = dlopen("libresolv.so.2", RTLD_NOW);
  if (library == nullptr) return 0;
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
