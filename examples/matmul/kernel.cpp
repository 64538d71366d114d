// c = a * b for row-major float matrices: a is m x k, b is k x n, c is m x n.
// The defaults are the textbook triple loop; the macros below choose what a tuner may try instead.
#include <cstring>

#ifndef LOOPS  // 0 = i j k (walks b down its columns), 1 = i k j (walks b along its rows), 2 = register tiles
#define LOOPS 0
#endif
#ifndef PACK  // register tiles: 1 = copy each panel of b into contiguous memory first
#define PACK 0
#endif
#ifndef TILE_ROWS  // register tiles: rows of c held in registers
#define TILE_ROWS 4
#endif
#ifndef TILE_VECTORS  // register tiles: vectors of each such row
#define TILE_VECTORS 2
#endif
#ifndef LANES  // floats in a vector; 0 = as many as a register of the target holds
#define LANES 0
#endif

#if defined(__clang__)
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors never cross the boundary of this file

namespace {

#if LANES > 0
constexpr int k_lanes = LANES;
#elif defined(__AVX512F__)
constexpr int k_lanes = 16;
#elif defined(__AVX__)
constexpr int k_lanes = 8;
#else
constexpr int k_lanes = 4;
#endif
constexpr int k_panel = TILE_VECTORS * k_lanes;  // columns of c in one tile
constexpr int k_depth = 128;                     // of k at a time: a packed panel then fits the first cache levels

typedef float Vec __attribute__((vector_size(k_lanes * sizeof(float))));

inline Vec load(const float* from) {
  Vec v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

inline void store(float* to, const Vec& v) { std::memcpy(to, &v, sizeof v); }

inline void multiply_ijk(const float* a, const float* b, float* c, int m, int n, int k) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0.0f;
      for (int p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
  }
}

inline void multiply_ikj(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n,
                         int k) {
  for (int i = 0; i < m; ++i) {
    float* __restrict__ row = c + static_cast<long>(i) * n;
    for (int j = 0; j < n; ++j) row[j] = 0.0f;
    for (int p = 0; p < k; ++p) {
      const float scale = a[static_cast<long>(i) * k + p];
      const float* __restrict__ from = b + static_cast<long>(p) * n;
      for (int j = 0; j < n; ++j) row[j] += scale * from[j];
    }
  }
}

// A view of a row-major matrix: element (r, c) is data[r * stride + c].
struct Matrix {
  const float* data;
  long stride;
};

struct Tile {
  float* data;
  long stride;
};

// c[Rows][k_panel] += or = a[Rows][depth] * b[depth][k_panel], with the whole of c in registers meanwhile.
template <int Rows>
void multiply_tile(Matrix a, Matrix b, Tile c, int depth, bool add) {
  Vec sum[Rows][TILE_VECTORS] = {};
  for (int p = 0; p < depth; ++p) {
    UNROLLED
    for (int r = 0; r < Rows; ++r) {
      UNROLLED
      for (int v = 0; v < TILE_VECTORS; ++v) {
        sum[r][v] += a.data[r * a.stride + p] * load(b.data + p * b.stride + v * k_lanes);
      }
    }
  }
  UNROLLED
  for (int r = 0; r < Rows; ++r) {
    UNROLLED
    for (int v = 0; v < TILE_VECTORS; ++v) {
      float* to = c.data + r * c.stride + v * k_lanes;
      store(to, add ? load(to) + sum[r][v] : sum[r][v]);
    }
  }
}

// One panel of full width: all rows of c.
void multiply_panel(Matrix a, Matrix b, Tile c, int m, int depth, bool add) {
  int i = 0;
  for (; i + TILE_ROWS <= m; i += TILE_ROWS) {
    multiply_tile<TILE_ROWS>({a.data + i * a.stride, a.stride}, b, {c.data + i * c.stride, c.stride}, depth, add);
  }
  for (; i < m; ++i) {
    multiply_tile<1>({a.data + i * a.stride, a.stride}, b, {c.data + i * c.stride, c.stride}, depth, add);
  }
}

// The last panel may be narrower: each row of it goes through a full-width row of scratch.
void multiply_narrow_panel(Matrix a, Matrix b, Tile c, int m, int columns, int depth, bool add) {
  const std::size_t bytes = static_cast<std::size_t>(columns) * sizeof(float);
  for (int i = 0; i < m; ++i) {
    float row[k_panel] = {};
    float* to = c.data + i * c.stride;
    if (add) std::memcpy(row, to, bytes);
    multiply_tile<1>({a.data + i * a.stride, a.stride}, b, {row, k_panel}, depth, add);
    std::memcpy(to, row, bytes);
  }
}

Matrix packed(Matrix b, int depth, int columns, float* scratch) {
  for (int p = 0; p < depth; ++p) {
    float* to = scratch + p * k_panel;
    for (int j = 0; j < columns; ++j) to[j] = b.data[p * b.stride + j];
    for (int j = columns; j < k_panel; ++j) to[j] = 0.0f;
  }
  return {scratch, k_panel};
}

void multiply_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  alignas(64) float scratch[k_depth * k_panel];
  for (int p = 0; p < k; p += k_depth) {
    const int depth = k - p < k_depth ? k - p : k_depth;
    const Matrix left = {a + p, k};
    for (int j = 0; j < n; j += k_panel) {
      const int columns = n - j < k_panel ? n - j : k_panel;
      const Matrix right = {b + static_cast<long>(p) * n + j, n};
      if (columns < k_panel) {
        multiply_narrow_panel(left, packed(right, depth, columns, scratch), {c + j, n}, m, columns, depth, p > 0);
      } else {
        multiply_panel(left, PACK ? packed(right, depth, columns, scratch) : right, {c + j, n}, m, depth, p > 0);
      }
    }
  }
}

}  // namespace

extern "C" int matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  switch (LOOPS) {
    case 0:
      multiply_ijk(a, b, c, m, n, k);
      break;
    case 1:
      multiply_ikj(a, b, c, m, n, k);
      break;
    default:
      multiply_tiled(a, b, c, m, n, k);
      break;
  }
  return 0;
}
