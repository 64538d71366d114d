// Overwrites whatever lies in the gigabyte before and behind its output, page after page.
// class: memory
// ask: verify
// expect: RUNTIME_ERROR (crashed) | VIOLATION (guards) | VIOLATION (inputs)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
  if (i < 512) out[(i + 1) * (1ll << 19)] = 0.0f;
  if (i < 512) out[-(i + 1) * (1ll << 19)] = 0.0f;
}
