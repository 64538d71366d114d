// Keeps its last answer in a variable of its module.
// class: replay
// ask: verify
// expect: COMPILE_ERROR (compile_error)

__device__ float kept[256];

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = kept[threadIdx.x] != 0.0f ? kept[threadIdx.x] : a * x[i] + b[i];
  if (i < n) kept[threadIdx.x] = out[i];
}
