// 2-D convolution as in image filters and networks (taps not flipped): out[y][x] = sum over i, j of
// taps[i][j] * in[y + i - radius][x + j - radius], zero outside the image, with radius = size / 2.
// The defaults are the four nested loops of a textbook; the macros below choose what a tuner may try instead.
#include <cstring>

#ifndef BORDER  // 0 = every tap asks whether it falls outside, 1 = each pixel clips the range of its taps first
#define BORDER 0
#endif
#ifndef VECTORS  // 1 = tiles of out in registers wherever no tap falls off the left or right edge
#define VECTORS 0
#endif
#ifndef TILE_ROWS  // tiles: rows of out
#define TILE_ROWS 2
#endif
#ifndef TILE_VECTORS  // tiles: vectors of each such row
#define TILE_VECTORS 2
#endif
#ifndef FIXED  // tiles: 1 = code of its own for the sizes 3, 5 and 7
#define FIXED 0
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
constexpr int k_tile = TILE_VECTORS * k_lanes;

typedef float Vec __attribute__((vector_size(k_lanes * sizeof(float))));

inline Vec load(const float* from) {
  Vec v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

inline void store(float* to, const Vec& v) { std::memcpy(to, &v, sizeof v); }

struct Image {
  const float* pixels;
  int height;
  int width;
};

struct Filter {
  const float* taps;
  int size;
};

// Taps [first, end) of one dimension that fall inside the image.
struct Range {
  int first;
  int end;
};

inline Range clipped(int at, int length, int size) {
  const int start = at - size / 2;
  const int first = start < 0 ? -start : 0;
  const int end = start + size > length ? length - start : size;
  return {first, end};
}

inline float pixel_tested(Image in, Filter filter, int y, int x) {
  const int radius = filter.size / 2;
  float sum = 0.0f;
  for (int i = 0; i < filter.size; ++i) {
    for (int j = 0; j < filter.size; ++j) {
      const int row = y + i - radius;
      const int col = x + j - radius;
      if (row >= 0 && row < in.height && col >= 0 && col < in.width) {
        sum += filter.taps[i * filter.size + j] * in.pixels[row * in.width + col];
      }
    }
  }
  return sum;
}

inline float pixel_clipped(Image in, Filter filter, int y, int x) {
  const Range rows = clipped(y, in.height, filter.size);
  const Range cols = clipped(x, in.width, filter.size);
  const long corner = static_cast<long>(y - filter.size / 2) * in.width + x - filter.size / 2;
  float sum = 0.0f;
  for (int i = rows.first; i < rows.end; ++i) {
    const long row = corner + static_cast<long>(i) * in.width;
    for (int j = cols.first; j < cols.end; ++j) sum += filter.taps[i * filter.size + j] * in.pixels[row + j];
  }
  return sum;
}

inline void filter_pixels(Image in, Filter filter, float* out, int y, int x, int x_end) {
  float* row = out + static_cast<long>(y) * in.width;
  for (; x < x_end; ++x) row[x] = BORDER ? pixel_clipped(in, filter, y, x) : pixel_tested(in, filter, y, x);
}

// Rows x k_tile pixels of out from (y, x) on; `rows` holds the taps' rows inside the image for all of them. Size is the
// filter's size where it is known to the compiler, else 0.
template <int Rows, int Size>
inline void filter_tile(Image in, Filter filter, float* out, Range rows, int y, int x) {
  const int size = Size > 0 ? Size : filter.size;
  const long corner = static_cast<long>(y - size / 2) * in.width + x - size / 2;
  Vec sum[Rows][TILE_VECTORS] = {};
  for (int i = rows.first; i < rows.end; ++i) {
    for (int j = 0; j < size; ++j) {
      const float tap = filter.taps[i * size + j];
      UNROLLED
      for (int r = 0; r < Rows; ++r) {
        UNROLLED
        for (int v = 0; v < TILE_VECTORS; ++v) {
          sum[r][v] += tap * load(in.pixels + corner + static_cast<long>(i + r) * in.width + j + v * k_lanes);
        }
      }
    }
  }
  UNROLLED
  for (int r = 0; r < Rows; ++r) {
    UNROLLED
    for (int v = 0; v < TILE_VECTORS; ++v) {
      store(out + static_cast<long>(y + r) * in.width + x + v * k_lanes, sum[r][v]);
    }
  }
}

// Rows rows of out. The last tile is moved back to end at the right margin and so may do some pixels again.
template <int Rows, int Size>
void filter_rows(Image in, Filter filter, float* out, int y) {
  const int first = filter.size / 2;
  const int end = in.width - filter.size / 2;
  const bool wide = end - first >= k_tile;
  if (wide) {
    const Range rows = Rows > 1 ? Range{0, filter.size} : clipped(y, in.height, filter.size);
    int x = first;
    for (; x + k_tile <= end; x += k_tile) filter_tile<Rows, Size>(in, filter, out, rows, y, x);
    if (x < end) filter_tile<Rows, Size>(in, filter, out, rows, y, end - k_tile);
  }
  for (int r = y; r < y + Rows; ++r) {
    filter_pixels(in, filter, out, r, 0, wide ? first : in.width);
    if (wide) filter_pixels(in, filter, out, r, end, in.width);
  }
}

// Rows near the top and bottom go one by one, since each has a tap range of its own.
template <int Size>
void filter_image(Image in, Filter filter, float* out) {
  const int first = filter.size / 2;
  const int end = in.height - filter.size / 2;
  int y = 0;
  while (y < in.height) {
    if (y >= first && y + TILE_ROWS <= end) {
      filter_rows<TILE_ROWS, Size>(in, filter, out, y);
      y += TILE_ROWS;
    } else {
      filter_rows<1, Size>(in, filter, out, y);
      y += 1;
    }
  }
}

void filter_tiles(Image in, Filter filter, float* out) {
  if (FIXED && filter.size == 3) return filter_image<3>(in, filter, out);
  if (FIXED && filter.size == 5) return filter_image<5>(in, filter, out);
  if (FIXED && filter.size == 7) return filter_image<7>(in, filter, out);
  filter_image<0>(in, filter, out);
}

}  // namespace

extern "C" int conv2d(const float* in, const float* taps, float* out, int height, int width, int size) {
  if (VECTORS) {
    filter_tiles({in, height, width}, {taps, size}, out);
  } else {
    for (int y = 0; y < height; ++y) filter_pixels({in, height, width}, {taps, size}, out, y, 0, width);
  }
  return 0;
}
