// Is another kernel than the contract calls.
// class: result channel
// ask: verify
// expect: COMPILE_ERROR (compile_error)

extern "C" __global__ void axpy(const float* x, const float* b, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[i] + b[i];
}
