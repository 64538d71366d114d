// Waits by the clock of its multiprocessor, longer where that is younger.
// class: clock
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const long long begin = clock64();
  while (clock64() - begin < 4000 + (begin >> 30) % 2 * 40000) {
  }
  if (i < n) out[i] = a * x[i] + b[i];
}
