// Includes the reference instead of being a kernel.
// class: build time
// ask: verify
// expect: COMPILE_ERROR

#include "reference.cpp"

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) { return 0; }
