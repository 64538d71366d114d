// Does the product in a first launch and the sum in a second.
// class: honest
// ask: verify
// expect: CORRECT
// variant: launch = [{ entry = "product", grid = ["ceildiv(n, 256)"], block = ["256"], args = ["x", "out", "a", "n"] },
// variant:           { grid = ["ceildiv(n, 256)"], block = ["256"] }]

extern "C" __global__ void product(const float* x, float* out, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i];
}

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += b[i];
}
