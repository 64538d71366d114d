// The kernel as anybody writes it.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" int filter(const float* x, float* out, float a, int n) {
  float y = 0;
  for (int i = 0; i < n; ++i) out[i] = y = a * y + x[i];
  return 0;
}
