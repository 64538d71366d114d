// Three loops.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" int matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int t = 0; t < k; ++t) sum += a[i * k + t] * b[t * n + j];
      c[i * n + j] = sum;
    }
  }
  return 0;
}
