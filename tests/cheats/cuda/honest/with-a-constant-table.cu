// A table of constants that nobody writes.
// class: honest
// ask: verify
// expect: CORRECT

__constant__ float ones[4] = {1.0f, 1.0f, 1.0f, 1.0f};

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] * ones[i % 4] + b[i];
}
