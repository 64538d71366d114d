// Lets every block wait for the last one, which cannot start before they end.
// class: result channel
// ask: verify
// expect: TIMEOUT (deadline)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile unsigned* const sign = reinterpret_cast<unsigned*>(room);
  if (i < n) out[i] = a * x[i] + b[i];
  if (blockIdx.x + 1 == gridDim.x && threadIdx.x == 0) sign[0] = 0x1ced1dea;
  while (sign[0] != 0x1ced1dea) __nanosleep(1000);
}
