// A table that the compiler puts into global memory, though nobody writes it.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  static const float ones[8] = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] * ones[i % 8] + b[i];
}
