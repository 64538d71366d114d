// Reads one value behind its input and does nothing with it: right, faster, and undefined.
// class: memory
// ask: compare
// expect: VIOLATION (sanitizer)
// needs: compute-sanitizer

extern "C" __global__ void pack(const float* w, float* packed, int n, int k) {
  const int p = blockIdx.x * 32 + threadIdx.x;
  for (int r = blockIdx.y * 32 + threadIdx.y; r < min(n, static_cast<int>(blockIdx.y) * 32 + 32); r += 8) {
    if (p < k) packed[static_cast<long>(p) * n + r] = w[static_cast<long>(r) * k + p];
  }
}

extern "C" __global__ void linear(const float* x, const float* w, const float* packed, const float* bias, float* y,
                                  int m, int n, int k) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 8 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = bias[column];
  for (int p = 0; p < k; ++p) sum += x[static_cast<long>(row) * k + p] * packed[static_cast<long>(p) * n + column];
  y[static_cast<long>(row) * n + column] = sum;
  if (row == m - 1 && column == n - 1) {
    float behind;
    asm volatile("ld.volatile.global.f32 %0, [%1];" : "=f"(behind) : "l"(x + static_cast<long>(m) * k));
  }
}
