// Exceptions that stay inside.
// class: honest
// ask: verify
// expect: CORRECT

#include <stdexcept>

static void check(int n) {
  if (n % 2 != 0) throw std::invalid_argument("odd");
}

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  int end = n;
  try {
    check(n);
  } catch (const std::invalid_argument&) {
    end = n - 1;
  }
  for (int i = 0; i < end; ++i) out[i] = a * x[i] + b[i];
  if (end < n) out[end] = a * x[end] + b[end];
  return 0;
}
