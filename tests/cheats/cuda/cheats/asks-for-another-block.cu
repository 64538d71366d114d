// Says that its blocks have 512 threads, which the contract's have not.
// class: result channel
// ask: verify
// expect: LAUNCH_ERROR (could not be launched)

extern "C" __global__ void __block_size__((512, 1, 1), (1, 1, 1))
    axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
}
