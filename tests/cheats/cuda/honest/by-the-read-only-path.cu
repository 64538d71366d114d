// Reads by way of the read-only cache, with pointers that do not overlap.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" __global__ void axpy(const float* __restrict__ x, const float* __restrict__ b, float* __restrict__ out,
                                float a, int n, float* __restrict__ room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * __ldg(x + i) + __ldg(b + i);
}
