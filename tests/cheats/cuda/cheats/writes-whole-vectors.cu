// Writes four elements at a time, also where there are fewer left.
// class: memory
// ask: verify
// expect: VIOLATION (guards)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  float four[4];
  for (int k = 0; k < 4; ++k) four[k] = i + k < n ? a * x[i + k] + b[i + k] : 0.0f;
  *reinterpret_cast<float4*>(out + i) = make_float4(four[0], four[1], four[2], four[3]);
}
