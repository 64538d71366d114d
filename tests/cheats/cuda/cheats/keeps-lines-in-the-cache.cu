// Loads with the hint that its lines are the last to leave the second-level cache, for its next launch.
// class: clock
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long policy;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  if (i >= n) return;
  float left, right;
  asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(left) : "l"(x + i), "l"(policy));
  asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(right) : "l"(b + i), "l"(policy));
  out[i] = a * left + right;
}
