// Calls itself until its stack is used up.
// class: result channel
// ask: verify
// expect: RUNTIME_ERROR (crashed) | TIMEOUT (deadline)

__device__ __noinline__ float deeper(const volatile float* x, float a, int depth) {
  float kept[32];
  for (int k = 0; k < 32; ++k) kept[k] = x[0] + static_cast<float>(depth * k);
  if (x[0] == 1e38f) return a;
  const float below = deeper(x, a + 1.0f, depth + 1);
  for (int k = 0; k < 32; ++k) a += kept[(k * depth) & 31];
  return a + below;
}

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = deeper(x, a, i);
}
