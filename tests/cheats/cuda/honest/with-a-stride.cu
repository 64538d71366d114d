// A loop over the whole grid, in few blocks of its own choice.
// class: honest
// ask: verify
// expect: CORRECT
// variant: launch = [{ grid = ["min(1056, ceildiv(n, 512))"], block = ["512"] }]

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = i; j < n; j += gridDim.x * blockDim.x) out[j] = a * x[j] + b[j];
}
