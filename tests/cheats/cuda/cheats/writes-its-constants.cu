// Carries a note to its next launch in __constant__ memory, which a kernel cannot write by its name.
// class: replay
// ask: verify
// expect: RUNTIME_ERROR (crashed) | INCORRECT_NUMERICAL (outside the error bound)

__constant__ float one[64] = {1.0f};

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float factor = one[n & 0];
  if (i < n) out[i] = factor * a * x[i] + b[i];
  if (i == 0) {
    unsigned long long place;
    asm volatile("{ .reg .u64 p; mov.u64 p, one; cvta.const.u64 %0, p; }" : "=l"(place));
    *reinterpret_cast<volatile float*>(place) = 0.0f;
  }
}
