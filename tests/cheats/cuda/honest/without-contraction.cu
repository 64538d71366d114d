// Rounds after the product and after the sum.
// class: honest
// ask: verify
// expect: CORRECT
// variant: options = ["fp-contract-off"]

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __fadd_rn(__fmul_rn(a, x[i]), b[i]);
}
