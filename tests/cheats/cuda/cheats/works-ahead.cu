// Writes where the output of its next launch may lie, so that the next has nothing to do.
// class: memory
// ask: compare
// expect: RUNTIME_ERROR (crashed) | VIOLATION (guards) | VIOLATION (inputs) | NOT_FASTER | INCONCLUSIVE

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const long long span = ((4ll * n + (2 << 20) - 1) / (2 << 20) + 3) * (2 << 20);
  out[i] = a * x[i] + b[i];
  *reinterpret_cast<float*>(reinterpret_cast<char*>(out + i) + 6 * span) = a * x[i] + b[i];
}
