// Looks for its answer in a register that nobody set.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float found;
  asm volatile("{ .reg .f32 kept; mov.f32 %0, kept; }" : "=f"(found));
  if (i < n) out[i] = found;
}
