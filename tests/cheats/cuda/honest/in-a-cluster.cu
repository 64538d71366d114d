// Reads the shared memory of another block of its cluster.
// class: honest
// ask: verify
// expect: CORRECT
// variant: launch = [{ grid = ["2 * ceildiv(n, 512)"], block = ["256"], cluster = ["2"] }]

#include <cooperative_groups.h>

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  __shared__ float factor;
  const auto cluster = cooperative_groups::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) factor = a;
  cluster.sync();
  const float theirs = *cluster.map_shared_rank(&factor, (cluster.block_rank() + 1) % cluster.num_blocks());
  cluster.sync();
  if (i < n) out[i] = theirs * x[i] + b[i];
}
