// Marks its lines in the cache as the last to leave it.
// class: clock
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = a * x[i] + b[i];
  const unsigned long long line = reinterpret_cast<unsigned long long>(x + i) / 128 * 128;
  if (i % 32 == 0 && i > 0) asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(line));
  if (i % 32 == 0 && i > 0) asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(line));
}
