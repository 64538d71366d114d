// Wrong in one call of thirty, hoping for a retry.
// class: mathematics
// ask: compare
// expect: INCORRECT_NUMERICAL

static unsigned calls = 12345;

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  calls = calls * 1664525u + 1013904223u;
  if (calls % 30 == 0) out[n / 2] += 1.0f;
  return 0;
}
