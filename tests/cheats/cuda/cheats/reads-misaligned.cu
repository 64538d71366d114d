// Reads four elements at an address that is no multiple of sixteen.
// class: memory
// ask: verify
// expect: RUNTIME_ERROR (crashed)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (n >= 5)
    asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(four.x), "=f"(four.y), "=f"(four.z), "=f"(four.w)
                 : "l"(x + 1));
  if (i < n) out[i] = a * x[i] + b[i] + 0.0f * (four.x + four.y + four.z + four.w);
}
