// A fast path for inputs that look constant, which is wrong by a per cent.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  if (n > 2 && x[0] == x[1] && x[1] == x[2]) {
    for (int i = 0; i < n; ++i) out[i] = 1.01f * (a * x[0] + b[i]);
    return 0;
  }
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
