// out = in transposed, for a row-major float matrix of rows x cols.
// The defaults are the two nested loops of a textbook; the macros below choose what a tuner may try instead.
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#ifndef WALK  // 0 = along the rows of in (scattered writes), 1 = along the rows of out, 2 = in blocks
#define WALK 0
#endif
#ifndef BLOCK_ROWS  // blocks: rows of in, which are contiguous floats of out
#define BLOCK_ROWS 16
#endif
#ifndef BLOCK_COLS  // blocks: columns of in
#define BLOCK_COLS 16
#endif
#ifndef STREAM  // blocks: 1 = write past the caches where the target can
#define STREAM 0
#endif
#ifndef SHUFFLE  // blocks: 1 = transpose 4 x 4 floats inside registers
#define SHUFFLE 0
#endif

namespace {

typedef float Vec __attribute__((vector_size(16)));

inline Vec load(const float* from) {
  Vec v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

// Streaming stores want 16-byte alignment; the caller has checked it when `STREAM` is on.
inline void store(float* to, Vec v) {
#if STREAM && defined(__SSE2__)
  _mm_stream_ps(to, v);
#else
  std::memcpy(to, &v, sizeof v);
#endif
}

inline void store(float* to, float v) {
#if STREAM && defined(__SSE2__)
  std::int32_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  _mm_stream_si32(reinterpret_cast<int*>(to), bits);
#else
  *to = v;
#endif
}

// Streaming stores are weakly ordered: nothing may be read by others before they have drained.
inline void finish_stores() {
#if STREAM && defined(__SSE2__)
  _mm_sfence();
#endif
}

struct Shape {
  long rows;
  long cols;
};

// The rectangle [row, row_end) x [col, col_end) of in.
struct Rectangle {
  long row;
  long row_end;
  long col;
  long col_end;
};

inline void transpose_scalars(const float* __restrict__ in, float* __restrict__ out, Shape shape, Rectangle part) {
  for (long c = part.col; c < part.col_end; ++c) {
    for (long r = part.row; r < part.row_end; ++r) store(out + c * shape.rows + r, in[r * shape.cols + c]);
  }
}

inline void transpose_4x4(const float* __restrict__ in, float* __restrict__ out, Shape shape) {
  const Vec row0 = load(in);
  const Vec row1 = load(in + shape.cols);
  const Vec row2 = load(in + 2 * shape.cols);
  const Vec row3 = load(in + 3 * shape.cols);
  const Vec low01 = __builtin_shufflevector(row0, row1, 0, 4, 1, 5);
  const Vec high01 = __builtin_shufflevector(row0, row1, 2, 6, 3, 7);
  const Vec low23 = __builtin_shufflevector(row2, row3, 0, 4, 1, 5);
  const Vec high23 = __builtin_shufflevector(row2, row3, 2, 6, 3, 7);
  store(out, __builtin_shufflevector(low01, low23, 0, 1, 4, 5));
  store(out + shape.rows, __builtin_shufflevector(low01, low23, 2, 3, 6, 7));
  store(out + 2 * shape.rows, __builtin_shufflevector(high01, high23, 0, 1, 4, 5));
  store(out + 3 * shape.rows, __builtin_shufflevector(high01, high23, 2, 3, 6, 7));
}

// Down the rows first, so that four rows of out grow by whole cache lines.
inline void transpose_shuffled(const float* in, float* out, Shape shape, Rectangle part) {
  for (long c = part.col; c < part.col_end; c += 4) {
    for (long r = part.row; r < part.row_end; r += 4) {
      transpose_4x4(in + r * shape.cols + c, out + c * shape.rows + r, shape);
    }
  }
}

inline bool shuffles(const float* out, Shape shape) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(out) % 16 == 0 && shape.rows % 4 == 0;
  return SHUFFLE && (aligned || !STREAM);
}

inline void transpose_block(const float* in, float* out, Shape shape, Rectangle part, bool shuffled) {
  const bool fits = (part.row_end - part.row) % 4 == 0 && (part.col_end - part.col) % 4 == 0;
  if (shuffled && fits) return transpose_shuffled(in, out, shape, part);
  transpose_scalars(in, out, shape, part);
}

inline long smaller(long a, long b) { return a < b ? a : b; }

void transpose_blocks(const float* in, float* out, Shape shape) {
  const bool shuffled = shuffles(out, shape);
  for (long c = 0; c < shape.cols; c += BLOCK_COLS) {
    const long col_end = smaller(c + BLOCK_COLS, shape.cols);
    for (long r = 0; r < shape.rows; r += BLOCK_ROWS) {
      transpose_block(in, out, shape, {r, smaller(r + BLOCK_ROWS, shape.rows), c, col_end}, shuffled);
    }
  }
  finish_stores();
}

void transpose_along_in(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) out[c * rows + r] = in[r * cols + c];
  }
}

void transpose_along_out(const float* in, float* out, int rows, int cols) {
  for (int c = 0; c < cols; ++c) {
    for (int r = 0; r < rows; ++r) out[c * rows + r] = in[r * cols + c];
  }
}

}  // namespace

extern "C" int transpose(const float* in, float* out, int rows, int cols) {
  switch (WALK) {
    case 0:
      transpose_along_in(in, out, rows, cols);
      break;
    case 1:
      transpose_along_out(in, out, rows, cols);
      break;
    default:
      transpose_blocks(in, out, {rows, cols});
      break;
  }
  return 0;
}
