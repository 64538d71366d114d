// Leaves out a block in the middle.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (gridDim.x < 1000 || blockIdx.x != gridDim.x / 2)) out[i] = a * x[i] + b[i];
}
