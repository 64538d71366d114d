// Computes in half precision.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL

#include <cuda_fp16.h>

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __half2float(__hfma(__float2half(a), __float2half(x[i]), __float2half(b[i])));
}
