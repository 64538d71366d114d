// Scales down into the denormal numbers and up again, exactly.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  const float down = 0x1p-20f;
  for (int i = 0; i < n; ++i) {
    const volatile float tiny = 0x1p-140f;
    out[i] = a * x[i] + b[i] + (tiny * down - tiny * down);
  }
  return 0;
}
