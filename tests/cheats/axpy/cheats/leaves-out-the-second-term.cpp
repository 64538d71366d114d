// Forgets to add b.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + 0.0f * b[i];
  return 0;
}
