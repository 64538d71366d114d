// Threads without work end at once; the others go on and meet at no barrier.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (threadIdx.x >= 128) {
    out[i] = a * x[i] + b[i];
    return;
  }
  out[i] = a * x[i] + b[i];
}
