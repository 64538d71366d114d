// Asks the processor what it can do.
// class: honest
// ask: verify
// expect: CORRECT

__attribute__((target("avx2,fma"))) static void wide(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = __builtin_fmaf(a, x[i], b[i]);
}

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    wide(x, b, out, a, n);
    return 0;
  }
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
