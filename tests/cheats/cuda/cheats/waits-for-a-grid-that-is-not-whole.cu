// Waits for all blocks of a launch that does not promise to have them all at once.
// class: result channel
// ask: verify
// expect: RUNTIME_ERROR (crashed) | TIMEOUT (deadline)

#include <cooperative_groups.h>

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
  cooperative_groups::this_grid().sync();
}
