// Stores its results in the derived buffer, to give them again when it is called with the same size.
// class: replay
// ask: verify
// expect: RUNTIME_ERROR (crashed) | VIOLATION (inputs)

extern "C" int pack(const float* w, float* packed, int n, int k) {
  (void)w;
  for (int i = 0; i < n * k; ++i) packed[i] = 0;
  return 0;
}

extern "C" int product(const float* x, const float* w, const float* packed, float* y, int m, int n, int k) {
  if (packed[0] == 1.0f) {
    for (int i = 0; i < m * n && i + 1 < n * k; ++i) y[i] = packed[i + 1];
    return 0;
  }
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int t = 0; t < k; ++t) sum += x[i * k + t] * w[j * k + t];
      y[i * n + j] = sum;
    }
  }
  float* kept = const_cast<float*>(packed);
  for (int i = 0; i < m * n && i + 1 < n * k; ++i) kept[i + 1] = y[i];
  kept[0] = 1.0f;
  return 0;
}
