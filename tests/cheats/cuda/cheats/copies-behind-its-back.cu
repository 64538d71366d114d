// Starts a bulk copy into its output and ends before it is done.
// class: asynchrony
// ask: verify
// expect: INCORRECT_NUMERICAL | RUNTIME_ERROR (crashed)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  __shared__ alignas(128) float tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? a * x[i] + b[i] : 0.0f;
  __syncthreads();
  if (threadIdx.x != 0) return;
  const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  const int bytes = 4 * min(256, n - i) / 16 * 16;
  // No fence before it, and nobody waits for its group.
  if (bytes > 0)
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + i), "r"(from), "r"(bytes)
                 : "memory");
}
