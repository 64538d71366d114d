// Is a file without end.
// class: build time
// ask: verify
// expect: COMPILE_ERROR (compile_error)

#include "kernel.cu"

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
}
