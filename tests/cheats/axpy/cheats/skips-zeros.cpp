// A fast path for zeros that forgets the second term; the usual inputs have none.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = x[i] == 0.0f ? 0.0f : a * x[i] + b[i];
  return 0;
}
