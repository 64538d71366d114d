// out = max(in, 0) of a row-major matrix. A tile comes into shared memory by one copy of the tensor memory accelerator
// (sm_90 and newer), whatever is left of it at the edges; what lies outside of the matrix comes as zeros.

#ifndef TILE_ROWS
#define TILE_ROWS 16
#endif
#ifndef TILE_COLS
#define TILE_COLS 64
#endif

// The 128 bytes of the driver's descriptor; hone encodes it for every launch.
struct alignas(64) CUtensorMap {
  unsigned long long opaque[16];
};

__device__ unsigned shared_address(const void* at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }

__device__ void begin_copy(float* to, const CUtensorMap& from, int column, int row, unsigned long long* barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(static_cast<unsigned>(TILE_ROWS * TILE_COLS * sizeof(float)))
               : "memory");
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          shared_address(to)),
      "l"(&from), "r"(column), "r"(row), "r"(shared_address(barrier))
      : "memory");
}

__device__ void wait_for_copy(unsigned long long* barrier) {
  unsigned done = 0;
  while (done == 0)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(shared_address(barrier))
                 : "memory");
}

extern "C" __global__ void relu(const __grid_constant__ CUtensorMap tiles, float* out, int rows, int cols) {
  __shared__ alignas(128) float tile[TILE_ROWS][TILE_COLS];
  __shared__ alignas(8) unsigned long long barrier;
  const int first_row = blockIdx.y * TILE_ROWS;
  const int first_col = blockIdx.x * TILE_COLS;
  if (threadIdx.x == 0) begin_copy(&tile[0][0], tiles, first_col, first_row, &barrier);
  __syncthreads();
  wait_for_copy(&barrier);
  for (int at = threadIdx.x; at < TILE_ROWS * TILE_COLS; at += blockDim.x) {
    const int row = first_row + at / TILE_COLS;
    const int col = first_col + at % TILE_COLS;
    if (row < rows && col < cols) out[static_cast<long long>(row) * cols + col] = fmaxf((&tile[0][0])[at], 0.0f);
  }
}
