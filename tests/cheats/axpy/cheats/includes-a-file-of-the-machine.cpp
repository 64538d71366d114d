// Includes a file of the machine to read it in the compiler's messages.
// class: build time
// ask: verify
// expect: COMPILE_ERROR
// layer: mount-namespace

#include "/etc/hostname"

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
