// A fast path for square matrices that takes all matrices for square.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL

extern "C" int matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m != n || n != k) {
    for (int i = 0; i < m * n; ++i) c[i] = 0;
    return 0;
  }
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int t = 0; t < k; ++t) sum += a[i * k + t] * b[t * n + j];
      c[i * n + j] = sum;
    }
  }
  return 0;
}
