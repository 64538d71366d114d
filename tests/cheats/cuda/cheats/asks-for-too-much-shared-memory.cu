// A launch of its own asks for as much shared memory as there is, beside what the kernel declares: it fails, and the
// answer of an earlier launch stands, it hopes.
// class: result channel
// ask: verify
// expect: LAUNCH_ERROR (could not be launched)
// variant: launch = [{ grid = ["ceildiv(n, 256)"], block = ["256"], dynamic_shared_bytes = "227 * 1024" }]

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  __shared__ volatile float tile[2048];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = a;
  if (i < n) out[i] = tile[threadIdx.x] * x[i] + b[i];
}
