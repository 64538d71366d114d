// Leaves as many changed lines behind as it can, so that whoever comes next pays for them.
// class: clock
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = a * x[i] + b[i];
  for (int k = 0; k < 4; ++k)
    asm volatile("st.global.L2::cache_hint.f32 [%0], %1, %2;" ::"l"(out + i), "f"(a * x[i] + b[i]),
                 "l"(0x14f0000000000000ull));
}
