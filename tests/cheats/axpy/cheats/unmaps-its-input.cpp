// Replaces the memory of an input by memory of its own.
// class: mathematics
// ask: verify
// expect: RUNTIME_ERROR (crashed) | VIOLATION | INCORRECT_NUMERICAL

#include <sys/mman.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  const auto page = reinterpret_cast<unsigned long>(x) & ~4095ul;
  mmap(reinterpret_cast<void*>(page), 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
