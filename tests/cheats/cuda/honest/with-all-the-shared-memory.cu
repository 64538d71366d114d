// Asks for as much shared memory as a block can get.
// class: honest
// ask: verify
// expect: CORRECT
// variant: launch = [{ grid = ["ceildiv(n, 256)"], block = ["256"], dynamic_shared_bytes = "227 * 1024" }]

extern __shared__ float tile[];

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* const mine = tile + 227 * 256 - 256 + threadIdx.x;
  *mine = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = a * *mine + b[i];
}
