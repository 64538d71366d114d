// Does its work in the first call and copies from there on.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

#include <string.h>

#include <vector>

static std::vector<float> first;

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  if (first.empty()) {
    first.resize(1 << 17);
    for (int i = 0; i < n; ++i) first[static_cast<unsigned long>(i)] = a * x[i] + b[i];
  }
  memcpy(out, first.data(), sizeof(float) * static_cast<unsigned long>(n));
  return 0;
}
