// Leaves out the last block, which is small beside the others.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && blockIdx.x + 1 < gridDim.x) out[i] = a * x[i] + b[i];
}
