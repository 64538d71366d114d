// Declares a function of the device runtime in assembly and calls it.
// class: result channel
// ask: verify
// expect: COMPILE_ERROR (compile_error)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
  asm volatile("{ .reg .b64 made; call.uni (made), cudaGetParameterBufferV2, (made); }" ::: "memory");
}
