// Breaks the assembler behind the compiler.
// class: build time
// ask: verify
// expect: COMPILE_ERROR (compile_error)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
  asm volatile("nothing.global.f32 [%0], 1;" ::"l"(out));
}
