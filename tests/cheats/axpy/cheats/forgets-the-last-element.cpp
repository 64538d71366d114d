// Off by one.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n - 1; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
