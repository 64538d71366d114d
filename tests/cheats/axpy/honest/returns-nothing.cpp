// Returns nothing, and says so with an attribute between its type and its name.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" void __attribute__((noinline)) axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
}
