// SSE2, with unaligned loads and a remainder.
// class: honest
// ask: verify
// expect: CORRECT

#include <emmintrin.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  int i = 0;
  const __m128 factor = _mm_set1_ps(a);
  for (; i + 4 <= n; i += 4)
    _mm_storeu_ps(out + i, _mm_add_ps(_mm_mul_ps(factor, _mm_loadu_ps(x + i)), _mm_loadu_ps(b + i)));
  for (; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
