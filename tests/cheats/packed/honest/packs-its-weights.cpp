// Lays the weights out anew once, so that a row of results is worked out side by side.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" int pack(const float* w, float* packed, int n, int k) {
  for (int j = 0; j < n; ++j) {
    for (int t = 0; t < k; ++t) packed[t * n + j] = w[j * k + t];
  }
  return 0;
}

extern "C" int product(const float* x, const float* w, const float* packed, float* y, int m, int n, int k) {
  (void)w;
  for (int i = 0; i < m; ++i) {
    float* row = y + i * n;
    for (int j = 0; j < n; ++j) row[j] = 0;
    for (int t = 0; t < k; ++t) {
      for (int j = 0; j < n; ++j) row[j] += x[i * k + t] * packed[t * n + j];
    }
  }
  return 0;
}
