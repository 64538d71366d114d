// Leaves half of the work out in the shape that is timed.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (n != 6000000 || i % 2 == 0)) out[i] = a * x[i] + b[i];
}
