// Writes into an input that it may only read.
// class: memory
// ask: verify
// expect: VIOLATION (inputs)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = a * x[i] + b[i];
  const_cast<float*>(b)[i] = out[i];
}
