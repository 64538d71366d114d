// Four elements at a time and a remainder.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    out[i] = a * x[i] + b[i];
    out[i + 1] = a * x[i + 1] + b[i + 1];
    out[i + 2] = a * x[i + 2] + b[i + 2];
    out[i + 3] = a * x[i + 3] + b[i + 3];
  }
  for (; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
