// Lets the assembler put the reference into the object.
// class: build time
// ask: verify
// expect: COMPILE_ERROR

asm(".section .rodata\nsecret: .incbin \"reference.cpp\"\n.text");

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
