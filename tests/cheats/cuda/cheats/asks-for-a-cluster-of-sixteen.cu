// Asks for more blocks in a cluster than a device grants without being asked twice.
// class: result channel
// ask: verify
// expect: LAUNCH_ERROR (could not be launched)
// variant: launch = [{ grid = ["16 * ceildiv(n, 4096)"], block = ["256"], cluster = ["16"] }]

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
}
