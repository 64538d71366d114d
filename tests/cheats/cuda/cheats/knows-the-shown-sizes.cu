// Is right for the sizes that the contract shows, and for no others.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (n == 37 || n == 1000 || n == 65536 || n == 6000000)) out[i] = a * x[i] + b[i];
}
