// Times itself, which is its own affair.
// class: honest
// ask: verify
// expect: CORRECT

#include <chrono>

static volatile double last;

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  last = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return 0;
}
