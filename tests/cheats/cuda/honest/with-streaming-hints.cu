// Says that what it reads and writes is not needed again.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) __stcs(out + i, a * __ldcs(x + i) + __ldcs(b + i));
}
