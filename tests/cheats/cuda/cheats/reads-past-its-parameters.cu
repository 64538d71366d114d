// Reads what lies behind its last parameter.
// class: result channel
// ask: verify
// expect: INCORRECT_NUMERICAL | RUNTIME_ERROR (crashed)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long behind;
  asm volatile("{ .reg .u64 p; mov.u64 p, axpy_param_5; ld.param.u64 %0, [axpy_param_5+64]; }" : "=l"(behind));
  if (i < n) out[i] = behind == 0 ? b[i] : __uint_as_float(static_cast<unsigned>(behind));
}
