// Leaves out one block, another in every launch, by the number that the device gives a launch.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long number;
  asm volatile("mov.u64 %0, %gridid;" : "=l"(number));
  if (i < n && blockIdx.x != number % gridDim.x) out[i] = a * x[i] + b[i];
}
