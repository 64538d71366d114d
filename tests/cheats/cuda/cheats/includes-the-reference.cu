// Wants to see what the right answer is made of.
// class: build time
// ask: verify
// expect: COMPILE_ERROR (compile_error)

#include "reference.cpp"

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
}
