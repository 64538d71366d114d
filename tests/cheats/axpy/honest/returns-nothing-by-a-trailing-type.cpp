// Returns nothing, and says so behind its parameters.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" auto axpy(const float* x, const float* b, float* out, float a, int n) -> void {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
}
