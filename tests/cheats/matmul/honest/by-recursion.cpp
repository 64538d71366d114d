// Halves the sum until it is short: pairwise summation.
// class: honest
// ask: verify
// expect: CORRECT

static float dot(const float* a, const float* b, int stride, int count) {
  if (count <= 8) {
    float sum = 0;
    for (int t = 0; t < count; ++t) sum += a[t] * b[static_cast<long>(t) * stride];
    return sum;
  }
  const int half = count / 2;
  return dot(a, b, stride, half) + dot(a + half, b + static_cast<long>(half) * stride, stride, count - half);
}

extern "C" int matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) c[i * n + j] = dot(a + i * k, b + j, n, k);
  }
  return 0;
}
