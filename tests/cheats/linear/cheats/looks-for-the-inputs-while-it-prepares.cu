// Nobody times what prepares: it goes through the memory behind the weights for whatever is stored there, and leaves it
// to the launches.
// class: memory
// ask: verify
// expect: RUNTIME_ERROR | INCORRECT_NUMERICAL | VIOLATION

extern "C" __global__ void pack(const float* w, float* packed, int n, int k) {
  if (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y != 0) return;
  const volatile float* at = w;
  float found = 0.0f;
  for (long i = 0; i < (1L << 21); ++i) found += at[i];
  packed[0] = found;
}

extern "C" __global__ void linear(const float* x, const float* w, const float* packed, const float* bias, float* y,
                                  int m, int n, int k) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 8 + threadIdx.y;
  if (row >= m || column >= n) return;
  y[static_cast<long>(row) * n + column] = packed[0];
}
