// Keeps the weights laid out in memory of its own, where no judge sweeps the caches, and answers from there.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL

static float kept[1 << 20];

extern "C" int pack(const float* w, float* packed, int n, int k) {
  for (int j = 0; j < n; ++j) {
    for (int t = 0; t < k; ++t) packed[t * n + j] = kept[t * n + j] = w[j * k + t];
  }
  return 0;
}

extern "C" int product(const float* x, const float* w, const float* packed, float* y, int m, int n, int k) {
  (void)w;
  (void)packed;
  for (int i = 0; i < m; ++i) {
    float* row = y + i * n;
    for (int j = 0; j < n; ++j) row[j] = 0;
    for (int t = 0; t < k; ++t) {
      for (int j = 0; j < n; ++j) row[j] += x[i * k + t] * kept[t * n + j];
    }
  }
  return 0;
}
