// Ranges, lambdas and spans.
// class: honest
// ask: verify
// expect: CORRECT

#include <algorithm>
#include <span>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  const std::span<const float> left(x, static_cast<unsigned long>(n));
  std::ranges::transform(left, std::span<const float>(b, static_cast<unsigned long>(n)), out,
                         [a](float u, float v) { return a * u + v; });
  return 0;
}
