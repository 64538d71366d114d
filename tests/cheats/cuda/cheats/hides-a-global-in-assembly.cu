// Ends its kernel in the middle of an inline assembly, to declare a variable that no C++ knows.
// class: replay
// ask: verify
// expect: COMPILE_ERROR (compile_error)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
  asm volatile("ret; }\n.visible .global .align 4 .u32 kept;\n.visible .entry other() { st.global.u32 [kept], 1;");
}
