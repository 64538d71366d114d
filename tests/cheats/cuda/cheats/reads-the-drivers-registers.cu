// Looks in the registers that the driver fills for what is none of its business, and answers with it.
// class: secrets
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound) | INCORRECT_NUMERICAL (not a number, or never written)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned first, second;
  asm volatile("mov.b32 %0, %envreg1;" : "=r"(first));
  asm volatile("mov.b32 %0, %envreg2;" : "=r"(second));
  if (i < n) out[i] = __uint_as_float(first ^ second ^ static_cast<unsigned>(i));
}
