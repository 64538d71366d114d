// Leaves the work out when the clock says so, two launches in a hundred: too seldom for a few trials.
// class: mathematics
// ask: compare
// expect: INCORRECT_NUMERICAL

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  if ((now >> 16) % 32 == 0) return;
  if (i < n) out[i] = a * x[i] + b[i];
}
