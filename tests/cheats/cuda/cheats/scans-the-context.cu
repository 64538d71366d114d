// Reads the addresses around its arguments one page after another, for answers, time stamps or another's output.
// class: memory
// ask: compare
// expect: RUNTIME_ERROR (crashed) | NOT_FASTER | INCONCLUSIVE

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 4096) {
    const float found =
        *reinterpret_cast<const volatile float*>(reinterpret_cast<const char*>(out) + (i - 2048ll) * (2 << 20));
    if (found == a * x[0] + b[0]) room[0] = found;
  }
  if (i < n) out[i] = a * x[i] + b[i];
}
