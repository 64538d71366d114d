// Works where the number of its multiprocessor is even.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned place;
  asm volatile("mov.u32 %0, %smid;" : "=r"(place));
  if (i < n && place % 2 == 0) out[i] = a * x[i] + b[i];
}
