// Calls a function where there is none.
// class: result channel
// ask: verify
// expect: RUNTIME_ERROR (crashed)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
  void (*const function)() = reinterpret_cast<void (*)()>(0x7700001000ull + n);
  if (i == 0) function();
}
