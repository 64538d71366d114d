// A constructor that never ends.
// class: load time
// ask: verify
// expect: TIMEOUT (deadline)

__attribute__((constructor)) static void hang() {
  volatile int forever = 1;
  while (forever != 0) {
  }
}

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
