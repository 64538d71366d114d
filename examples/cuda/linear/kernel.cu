// y = x * transpose(w) + bias for row-major float matrices: x is m x k, w is n x k, as layers of networks keep their
// weights, y is m x n. A block has 32 x 8 threads, a thread for each result.
// The weights are the same in every call, so `pack` may lay them out anew before the first one: `packed` is k x n.
//
// PACKED  1: neighbouring threads read neighbouring weights, from `packed`; 0: each reads a row of w
// ROWS    results of a thread, one below the other; each weight that it has loaded then serves more than once

#ifndef PACKED
#define PACKED 0
#endif
#ifndef ROWS
#define ROWS 1
#endif

extern "C" __global__ void pack(const float* w, float* packed, int n, int k) {
#if PACKED == 1
  __shared__ float tile[32][33];
  const int left = blockIdx.x * 32;
  const int top = blockIdx.y * 32;
  for (int r = threadIdx.y; r < 32; r += 8) {
    if (top + r < n && left + threadIdx.x < k)
      tile[r][threadIdx.x] = w[static_cast<long>(top + r) * k + left + threadIdx.x];
  }
  __syncthreads();
  for (int r = threadIdx.y; r < 32; r += 8) {
    if (left + r < k && top + threadIdx.x < n)
      packed[static_cast<long>(left + r) * n + top + threadIdx.x] = tile[threadIdx.x][r];
  }
#endif
}

extern "C" __global__ void linear(const float* x, const float* w, const float* packed, const float* bias, float* y,
                                  int m, int n, int k) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int top = (blockIdx.y * 8 + threadIdx.y) * ROWS;
  if (column >= n) return;
  float sums[ROWS] = {};
  for (int p = 0; p < k; ++p) {
#if PACKED == 1
    const float weight = packed[static_cast<long>(p) * n + column];
#else
    const float weight = w[static_cast<long>(column) * k + p];
#endif
    for (int r = 0; r < ROWS; ++r) {
      if (top + r < m) sums[r] += x[static_cast<long>(top + r) * k + p] * weight;
    }
  }
  for (int r = 0; r < ROWS; ++r) {
    if (top + r < m) y[static_cast<long>(top + r) * n + column] = sums[r] + bias[column];
  }
}
