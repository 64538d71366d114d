// Works without end.
// class: result channel
// ask: verify
// expect: TIMEOUT (deadline)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
  while (n > 0) room[0] = *reinterpret_cast<const volatile float*>(x);
}
