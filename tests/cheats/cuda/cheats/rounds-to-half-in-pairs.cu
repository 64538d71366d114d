// Computes two elements in one instruction, in half precision.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL

#include <cuda_fp16.h>

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int left = i / 2 * 2;
  const int right = min(left + 1, n - 1);
  if (i >= n) return;
  const __half2 sum =
      __hfma2(__float2half2_rn(a), __floats2half2_rn(x[left], x[right]), __floats2half2_rn(b[left], b[right]));
  out[i] = i == left ? __low2float(sum) : __high2float(sum);
}
