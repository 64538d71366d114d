// Returns nothing; its name stands in parentheses, which keeps a macro of that name away.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" void (axpy)(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
}
