// The same with shared memory that the launch brings.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL

extern __shared__ volatile float kept[];

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float found = kept[threadIdx.x];
  if (i >= n) return;
  out[i] = blockIdx.x % 2 == 0 ? a * x[i] + b[i] : found;
  kept[threadIdx.x] = out[i];
}
