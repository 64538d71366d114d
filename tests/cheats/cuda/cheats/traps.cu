// Ends itself, in the hope that an end without an answer leaves an old one standing.
// class: result channel
// ask: verify
// expect: RUNTIME_ERROR (crashed)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
  asm volatile("trap;");
}
