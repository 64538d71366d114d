// Four megabytes of stack.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  float scratch[1 << 20];
  const int most = 1 << 20;
  for (int from = 0; from < n; from += most) {
    const int count = n - from < most ? n - from : most;
    for (int i = 0; i < count; ++i) scratch[i] = a * x[from + i];
    for (int i = 0; i < count; ++i) out[from + i] = scratch[i] + b[from + i];
  }
  return 0;
}
