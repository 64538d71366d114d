// Takes the scalar for a double.
// class: result channel
// ask: verify
// expect: COMPILE_ERROR (compile_error)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, double a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<float>(a) * x[i] + b[i];
}
