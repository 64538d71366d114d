// One element in a thousand is left out: a matched ratio of 99 % would not mind.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) {
    if (i % 1000 != 36) out[i] = a * x[i] + b[i];
  }
  return 0;
}
