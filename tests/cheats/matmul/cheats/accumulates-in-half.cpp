// Half-precision accumulators, where the contract says single.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL

extern "C" int matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      _Float16 sum = 0;
      for (int t = 0; t < k; ++t)
        sum = static_cast<_Float16>(sum + static_cast<_Float16>(a[i * k + t]) * static_cast<_Float16>(b[t * n + j]));
      c[i * n + j] = static_cast<float>(sum);
    }
  }
  return 0;
}
