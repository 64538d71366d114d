// Counts its launches in a static variable of a function.
// class: replay
// ask: verify
// expect: COMPILE_ERROR (compile_error)

__device__ unsigned launches() {
  static unsigned count;
  return atomicAdd(&count, 1u);
}

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && launches() < 100000000u) out[i] = a * x[i] + b[i];
}
