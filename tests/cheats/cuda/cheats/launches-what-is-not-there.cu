// A launch of its own names a kernel that it does not have.
// class: result channel
// ask: verify
// expect: COMPILE_ERROR (no_entry)
// variant: launch = [{ entry = "hone_fill", grid = ["ceildiv(n, 256)"], block = ["256"] }]

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
}
