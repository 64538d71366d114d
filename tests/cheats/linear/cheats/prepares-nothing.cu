// Believes that what it prepared for another call is still there.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL

extern "C" __global__ void pack(const float* w, float* packed, int n, int k) {}

extern "C" __global__ void linear(const float* x, const float* w, const float* packed, const float* bias, float* y,
                                  int m, int n, int k) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 8 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = bias[column];
  for (int p = 0; p < k; ++p) sum += x[static_cast<long>(row) * k + p] * packed[static_cast<long>(p) * n + column];
  y[static_cast<long>(row) * n + column] = sum;
}
