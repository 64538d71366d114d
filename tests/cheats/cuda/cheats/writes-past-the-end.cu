// Writes one element more than there are.
// class: memory
// ask: verify
// expect: VIOLATION (guards)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
  if (i == 0) out[n] = a;
}
