// Looks in shared memory for what an earlier block or launch may have left there, and leaves its own answer.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  __shared__ volatile float kept[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float found = kept[threadIdx.x];
  if (i >= n) return;
  out[i] = blockIdx.x == 0 ? a * x[i] + b[i] : found;
  kept[threadIdx.x] = out[i];
}
