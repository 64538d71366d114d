// Copies into shared memory without registers between, and waits for it.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  __shared__ float tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(tile + threadIdx.x));
  if (i < n) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(x + i) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  if (i < n) out[i] = a * tile[threadIdx.x] + b[i];
}
