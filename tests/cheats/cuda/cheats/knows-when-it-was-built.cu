// Is right as long as the compiler says that this is not the year of its release.
// class: build time
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  constexpr char year[] = __DATE__;
  constexpr bool later = year[7] == '2' && year[8] == '0';
  if (i < n) out[i] = later ? b[i] : a * x[i] + b[i];
}
