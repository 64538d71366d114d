// Reads its inputs in bfloat16, which a tolerance of a per cent accepts.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL

#include <cstdint>
#include <cstring>

static float rounded(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits = (bits + 0x8000u) & 0xffff0000u;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

extern "C" int matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int t = 0; t < k; ++t) sum += rounded(a[i * k + t]) * rounded(b[t * n + j]);
      c[i * n + j] = sum;
    }
  }
  return 0;
}
