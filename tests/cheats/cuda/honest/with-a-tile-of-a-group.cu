// Works in tiles of a cooperative group.
// class: honest
// ask: verify
// expect: CORRECT

#include <cooperative_groups.h>

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  namespace groups = cooperative_groups;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto tile = groups::tiled_partition<16>(groups::this_thread_block());
  const float value = i < n ? x[i] : 0.0f;
  const float mine = tile.shfl(value, tile.thread_rank());
  tile.sync();
  if (i < n) out[i] = a * mine + b[i];
}
