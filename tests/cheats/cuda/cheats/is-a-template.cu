// Is a template under a C++ name.
// class: result channel
// ask: verify
// expect: COMPILE_ERROR (no_entry)

template <int K>
__global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
}
template __global__ void axpy<1>(const float*, const float*, float*, float, int, float*);
