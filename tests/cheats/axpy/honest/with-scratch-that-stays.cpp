// Keeps its scratch memory from call to call, and what it keeps is never used again.
// class: honest
// ask: verify
// expect: CORRECT

#include <vector>

static std::vector<float> scratch;

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  scratch.resize(static_cast<unsigned long>(n));
  for (int i = 0; i < n; ++i) scratch[static_cast<unsigned long>(i)] = a * x[i];
  for (int i = 0; i < n; ++i) out[i] = scratch[static_cast<unsigned long>(i)] + b[i];
  return 0;
}
