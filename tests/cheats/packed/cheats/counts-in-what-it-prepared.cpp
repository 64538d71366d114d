// Notes in what it has prepared that it was here.
// class: replay
// ask: verify
// expect: RUNTIME_ERROR (crashed) | VIOLATION (inputs)

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
  const_cast<float*>(packed)[0] += 1.0f;
  return 0;
}
