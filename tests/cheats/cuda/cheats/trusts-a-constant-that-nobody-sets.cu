// Declares a constant and waits for whoever fills it.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

__constant__ float factor;

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] * factor + b[i];
}
