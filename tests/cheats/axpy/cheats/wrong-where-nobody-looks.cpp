// One wrong element in the middle of a large output, in every call.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  if (n > 10000) out[n / 2 + 1] *= 1.001f;
  return 0;
}
