// Asks its warp whether all of it has work.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (__all_sync(0xffffffffu, i < n)) {
    out[i] = a * x[i] + b[i];
  } else if (i < n) {
    out[i] = a * x[i] + b[i];
  }
}
