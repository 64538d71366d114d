// Rounds an input to the ten bits that tensor cores keep.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned coarse;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(coarse) : "f"(x[i]));
  out[i] = a * __uint_as_float(coarse) + b[i];
}
