// Tells the processor what comes next, also past the end.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) {
    __builtin_prefetch(x + i + 64);
    out[i] = a * x[i] + b[i];
  }
  return 0;
}
