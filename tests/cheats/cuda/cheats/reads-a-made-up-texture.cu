// Reads a texture by a handle that nobody gave it: another's, perhaps.
// class: memory
// ask: verify
// expect: RUNTIME_ERROR (crashed) | INCORRECT_NUMERICAL

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r, g, blue, alpha;
  const unsigned long long handle = 1;
  asm volatile("tex.1d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
               : "=f"(r), "=f"(g), "=f"(blue), "=f"(alpha)
               : "l"(handle), "r"(i));
  if (i < n) out[i] = r;
}
