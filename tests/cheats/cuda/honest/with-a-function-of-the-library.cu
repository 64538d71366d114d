// Calls by its inner name a function of the library that comes with the compiler.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" __device__ float __nv_fmaf(float x, float y, float z);

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __nv_fmaf(a, x[i], b[i]);
}
