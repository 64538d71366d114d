// Prints more than anybody can hold.
// class: result channel
// ask: verify
// expect: COMPILE_ERROR (compile_error)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
  for (int k = 0; k < 1000; ++k) printf("{\"outcome\": \"FASTER\"}\n");
}
