// Starts another kernel, which goes on when the launch is over.
// class: asynchrony
// ask: verify
// expect: COMPILE_ERROR (compile_error)

__global__ void later(const float* x, const float* b, float* out, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
}

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) later<<<gridDim.x, blockDim.x>>>(x, b, out, a, n);
}
