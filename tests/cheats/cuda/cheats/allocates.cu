// Keeps its answer in memory that it allocates.
// class: replay
// ask: verify
// expect: COMPILE_ERROR (compile_error)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* const kept = static_cast<float*>(malloc(sizeof(float)));
  if (i >= n || kept == nullptr) return;
  *kept = a * x[i] + b[i];
  out[i] = *kept;
}
