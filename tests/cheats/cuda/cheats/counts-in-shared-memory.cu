// Counts its launches in shared memory that nobody cleared, and works in the first alone.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  __shared__ volatile unsigned kept[2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool known = kept[0] == 0x1ced1dea;
  __syncthreads();
  if (threadIdx.x == 0) kept[0] = 0x1ced1dea;
  if (i < n && !known) out[i] = a * x[i] + b[i];
}
