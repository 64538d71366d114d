// Calls a function that it does not have: whoever is loaded beside it may.
// class: result channel
// ask: verify
// expect: COMPILE_ERROR (compile_error)

extern "C" __device__ float hone_answer(float a, float x, float b);

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = hone_answer(a, x[i], b[i]);
}
