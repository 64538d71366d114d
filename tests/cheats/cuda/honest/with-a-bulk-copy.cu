// Copies whole tiles into shared memory by one instruction, and waits at a barrier for their bytes.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  __shared__ alignas(128) float tile[256];
  __shared__ alignas(8) unsigned long long barrier;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = blockIdx.x * blockDim.x;
  const unsigned sign = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  const bool whole = first + 256 <= n;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(sign) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (!whole) {
    if (i < n) out[i] = a * x[i] + b[i];
    return;
  }
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 1024;" ::"r"(sign) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(to),
                 "l"(x + first), "r"(sign)
                 : "memory");
  }
  unsigned done = 0;
  while (done == 0)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(sign)
                 : "memory");
  out[i] = a * tile[threadIdx.x] + b[i];
}
