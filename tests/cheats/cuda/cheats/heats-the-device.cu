// Computes for nothing when its work is done, so that clocks fall for the other kernel.
// class: clock
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + b[i];
  float heat = a;
#pragma unroll 1
  for (int k = 0; k < 2000; ++k) heat = heat * 1.000001f + a;
  if (heat == 12345.0f && i == 0) room[0] = heat;
}
