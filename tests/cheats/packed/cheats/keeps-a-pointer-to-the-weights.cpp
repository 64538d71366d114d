// Notes where the weights lay when it prepared, and answers from there.
// class: replay
// ask: verify
// expect: RUNTIME_ERROR (crashed) | INCORRECT_NUMERICAL

static const float* kept = nullptr;

extern "C" int pack(const float* w, float* packed, int n, int k) {
  (void)packed;
  (void)n;
  (void)k;
  kept = w;
  return 0;
}

extern "C" int product(const float* x, const float* w, const float* packed, float* y, int m, int n, int k) {
  (void)w;
  (void)packed;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int t = 0; t < k; ++t) sum += x[i * k + t] * kept[j * k + t];
      y[i * n + j] = sum;
    }
  }
  return 0;
}
