// Counts its launches in memory that the host has too.
// class: replay
// ask: verify
// expect: COMPILE_ERROR (compile_error)

__managed__ unsigned count;

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) ++count;
  if (i < n && count < 40) out[i] = a * x[i] + b[i];
}
