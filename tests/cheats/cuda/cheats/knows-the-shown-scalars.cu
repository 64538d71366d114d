// Is right for the scalars that the contract shows, and for no others.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound) | INCORRECT_NUMERICAL (not a number, or never written)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (a == 2.5f) out[i] = 2.5f * x[i] + b[i];
  if (a == -0.75f) out[i] = -0.75f * x[i] + b[i];
  if (a == 0.3125f) out[i] = 0.3125f * x[i] + b[i];
  if (a == 1.5f) out[i] = 1.5f * x[i] + b[i];
}
