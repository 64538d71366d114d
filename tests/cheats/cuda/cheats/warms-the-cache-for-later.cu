// Reads its inputs into the cache again when it is done, as the last lines to leave it: its next launch is warm.
// class: clock
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = a * x[i] + b[i];
  if (i % 8 == 0) asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(x + i));
  if (i % 8 == 0) asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(b + i));
}
