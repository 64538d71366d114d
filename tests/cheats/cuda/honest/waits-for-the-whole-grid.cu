// Waits for all of its blocks, in a launch that has them all at once.
// class: honest
// ask: verify
// expect: CORRECT
// variant: launch = [{ grid = ["min(64, ceildiv(n, 256))"], block = ["256"], cooperative = true }]

#include <cooperative_groups.h>

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) room[blockIdx.x] = a;
  cooperative_groups::this_grid().sync();
  const float factor = room[gridDim.x - 1 - blockIdx.x];
  for (int j = i; j < n; j += gridDim.x * blockDim.x) out[j] = factor * x[j] + b[j];
}
