// The same, by new and never deleted.
// class: replay
// ask: verify
// expect: COMPILE_ERROR (compile_error)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float* const kept = new float[256];
  kept[threadIdx.x] = a * x[i] + b[i];
  out[i] = kept[threadIdx.x];
}
