// Reads where no memory is.
// class: memory
// ask: verify
// expect: RUNTIME_ERROR (crashed)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i] + (n > 0 ? *reinterpret_cast<const volatile float*>(16ull) : 0.0f);
}
