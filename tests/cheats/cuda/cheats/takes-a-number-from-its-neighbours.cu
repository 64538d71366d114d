// Lets a warp compute one element and shares it: right where neighbours are equal.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = i < n ? a * x[i] + b[i] : 0.0f;
  const float shared = __shfl_sync(0xffffffffu, value, 0);
  if (i < n) out[i] = shared;
}
