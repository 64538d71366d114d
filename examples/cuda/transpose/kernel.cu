// out = in transposed, for a row-major float matrix. A block does a tile of 32 x 32.
// The defaults read along rows and write down columns: every value of a warp goes to a line of its own.
//
// LINES   lines of the tile that a block does at a time
// SHARED  1: by way of shared memory, so that writes go along rows too
// PAD     1: a column more there, so that a column's values lie in different banks

#ifndef LINES
#define LINES 32
#endif
#ifndef SHARED
#define SHARED 0
#endif
#ifndef PAD
#define PAD 0
#endif

extern "C" __global__ void transpose(const float* in, float* out, int rows, int cols) {
  const int left = blockIdx.x * 32;
  const int top = blockIdx.y * 32;
#if SHARED == 1
  __shared__ float tile[32][32 + PAD];
  for (int line = threadIdx.y; line < 32; line += LINES) {
    if (top + line < rows && left + threadIdx.x < cols)
      tile[line][threadIdx.x] = in[static_cast<long>(top + line) * cols + left + threadIdx.x];
  }
  __syncthreads();
  for (int line = threadIdx.y; line < 32; line += LINES) {
    if (left + line < cols && top + threadIdx.x < rows)
      out[static_cast<long>(left + line) * rows + top + threadIdx.x] = tile[threadIdx.x][line];
  }
#else
  for (int line = threadIdx.y; line < 32; line += LINES) {
    if (top + line < rows && left + threadIdx.x < cols)
      out[static_cast<long>(left + threadIdx.x) * rows + top + line] =
          in[static_cast<long>(top + line) * cols + left + threadIdx.x];
  }
#endif
}
