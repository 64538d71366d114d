// Fails an assertion of its own, which stops the launch and writes to the host.
// class: result channel
// ask: verify
// expect: COMPILE_ERROR (compile_error)

#include <cassert>

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < n);
  if (i < n) out[i] = a * x[i] + b[i];
}
