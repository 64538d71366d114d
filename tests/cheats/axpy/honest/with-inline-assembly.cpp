// A line of assembly.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) {
    float value = a * x[i];
    asm("addss %1, %0" : "+x"(value) : "x"(b[i]));
    out[i] = value;
  }
  return 0;
}
