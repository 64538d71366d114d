// Is launched, by a launch of its own, in blocks of a quarter of the size.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)
// variant: launch = [{ grid = ["ceildiv(n, 256)"], block = ["64"] }]

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
}
