// Writes whole vectors, also past the end of the output.
// class: mathematics
// ask: verify
// expect: VIOLATION (guards)

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  for (int i = n; i < n + 7; ++i) out[i] = 0.0f;
  return 0;
}
