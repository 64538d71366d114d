// Hopes that what cannot be built is not asked about.
// class: build time
// ask: verify
// expect: COMPILE_ERROR (compile_error)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = nothing;
}
