// Is slow in one millisecond and fast in the next: whoever stops when times look steady stops at the right moment.
// class: clock
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  if ((now >> 20) % 2 == 1) __nanosleep(50000);
  if (i < n) out[i] = a * x[i] + b[i];
}
