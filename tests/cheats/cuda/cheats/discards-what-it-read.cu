// Throws the lines of its inputs out of the cache without writing them back: others find garbage.
// class: clock
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE | VIOLATION (inputs)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = a * x[i] + b[i];
  __syncthreads();
  const unsigned long long line = reinterpret_cast<unsigned long long>(x + i) / 128 * 128;
  if (i % 256 == 64 && i + 256 < n) asm volatile("discard.global.L2 [%0], 128;" ::"l"(line) : "memory");
}
