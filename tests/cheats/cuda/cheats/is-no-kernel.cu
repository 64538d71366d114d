// Defines a function of that name, which is no kernel.
// class: result channel
// ask: verify
// expect: COMPILE_ERROR (no_entry)

extern "C" __device__ __noinline__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
}
extern "C" __global__ void another(const float* x, const float* b, float* out, float a, int n, float* room) {
  axpy(x, b, out, a, n, room);
}
