// Computes every other element and repeats it.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = i / 2 * 2;
  if (i < n) out[i] = a * x[j] + b[j];
}
