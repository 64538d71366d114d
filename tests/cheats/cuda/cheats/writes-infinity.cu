// Infinity is as good as any number where masks are not compared.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (not finite where the truth is, or the reverse)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __int_as_float(0x7f800000);
}
