// One version for each kind of processor, chosen when it is loaded.
// class: honest
// ask: verify
// expect: CORRECT

__attribute__((target_clones("avx2", "default"))) static void work(const float* x, const float* b, float* out, float a,
                                                                   int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
}

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  work(x, b, out, a, n);
  return 0;
}
