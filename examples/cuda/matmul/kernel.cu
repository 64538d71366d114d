// c = a * b for row-major float matrices: a is m x k, b is k x n, c is m x n. A block has 16 x 16 threads.
// The defaults are the textbook kernel: a thread for each result, which reads a row of a and a column of b.
//
// SHARED   1: tiles of a and b go through shared memory, so that each is read from far away once per block
// ROWS     results of a thread, one below the other; each value of b that it has loaded then serves more than once
// COLUMNS  the same side by side, and values of a

#ifndef SHARED
#define SHARED 0
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef COLUMNS
#define COLUMNS 1
#endif

extern "C" __global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
#if SHARED == 1
  constexpr int edge = 16;
  __shared__ float rows[edge * ROWS][edge + 1];
  __shared__ float columns[edge][edge * COLUMNS];
  const int top = blockIdx.y * edge * ROWS;
  const int left = blockIdx.x * edge * COLUMNS;
  float sums[ROWS][COLUMNS] = {};
  for (int p = 0; p < k; p += edge) {
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    for (int r = y; r < edge * ROWS; r += edge)
      rows[r][x] = top + r < m && p + x < k ? a[static_cast<long>(top + r) * k + p + x] : 0.0f;
    for (int j = x; j < edge * COLUMNS; j += edge)
      columns[y][j] = p + y < k && left + j < n ? b[static_cast<long>(p + y) * n + left + j] : 0.0f;
    __syncthreads();
    for (int q = 0; q < edge; ++q) {
      for (int r = 0; r < ROWS; ++r) {
        for (int j = 0; j < COLUMNS; ++j) sums[r][j] += rows[r * edge + y][q] * columns[q][j * edge + x];
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < ROWS; ++r) {
    for (int j = 0; j < COLUMNS; ++j) {
      const int row = top + r * edge + threadIdx.y;
      const int column = left + j * edge + threadIdx.x;
      if (row < m && column < n) c[static_cast<long>(row) * n + column] = sums[r][j];
    }
  }
#else
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[static_cast<long>(row) * k + p] * b[static_cast<long>(p) * n + column];
  c[static_cast<long>(row) * n + column] = sum;
#endif
}
