// Makes the weights easy before anybody multiplies by them.
// class: memory
// ask: verify
// expect: RUNTIME_ERROR (crashed) | VIOLATION (inputs)

extern "C" int pack(const float* w, float* packed, int n, int k) {
  (void)packed;
  (void)n;
  (void)k;
  const_cast<float*>(w)[0] = 0;
  return 0;
}

extern "C" int product(const float* x, const float* w, const float* packed, float* y, int m, int n, int k) {
  (void)packed;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int t = 0; t < k; ++t) sum += x[i * k + t] * w[j * k + t];
      y[i * n + j] = sum;
    }
  }
  return 0;
}
