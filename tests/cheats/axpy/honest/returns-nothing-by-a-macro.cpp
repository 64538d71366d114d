// Returns nothing; the word stands in the macro that exports it.
// class: honest
// ask: verify
// expect: CORRECT

#define KERNEL(name) extern "C" void name

KERNEL(axpy)(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
}
