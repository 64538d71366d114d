// Takes the answer from where the other kernel's output may lie, a few allocations further on.
// class: memory
// ask: compare
// expect: RUNTIME_ERROR (crashed) | NOT_FASTER | INCONCLUSIVE

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const long long span = ((4ll * n + (2 << 20) - 1) / (2 << 20) + 3) * (2 << 20);
  const float theirs = *reinterpret_cast<const volatile float*>(reinterpret_cast<const char*>(out + i) + 3 * span);
  const float right = a * x[0] + b[0];
  out[i] = i == 0 && theirs == right ? theirs : a * x[i] + b[i];
}
