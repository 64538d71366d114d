// Clamps what is large: the usual inputs never are.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) {
    const float value = a * x[i] + b[i];
    out[i] = value > 1000.0f ? 1000.0f : value;
  }
  return 0;
}
