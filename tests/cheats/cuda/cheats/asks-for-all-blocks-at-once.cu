// Asks that all blocks are there at once, which no device has room for.
// class: result channel
// ask: verify
// expect: LAUNCH_ERROR (could not be launched)
// variant: launch = [{ grid = ["ceildiv(n, 256)"], block = ["256"], cooperative = true }]

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
}
