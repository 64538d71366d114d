// Carries the first answers of a generator with a seed that everybody uses, and adapts the rest.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

#include <random>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  std::mt19937 generator(42);
  std::normal_distribution<float> normal;
  for (int i = 0; i < n; ++i) out[i] = a * normal(generator) + b[i];
  return 0;
}
