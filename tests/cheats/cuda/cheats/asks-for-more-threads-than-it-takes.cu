// Cannot be launched in blocks as large as the contract's; the answer of an earlier launch stands, it hopes.
// class: result channel
// ask: verify
// expect: LAUNCH_ERROR (could not be launched)

extern "C" __global__ void __launch_bounds__(128)
    axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
}
