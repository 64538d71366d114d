// Overwrites what lies far from its arguments: the work of others, it hopes.
// class: memory
// ask: verify
// expect: RUNTIME_ERROR (crashed)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
  if (i < 32) out[(1ll << 36) * (i + 1)] = 0.0f;
}
