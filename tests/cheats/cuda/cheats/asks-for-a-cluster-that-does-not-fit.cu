// Says that its blocks come in threes, which the contract's grid is no multiple of.
// class: result channel
// ask: verify
// expect: LAUNCH_ERROR (could not be launched)

extern "C" __global__ void __cluster_dims__(3, 1, 1)
    axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
}
