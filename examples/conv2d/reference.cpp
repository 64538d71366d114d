// 2-D convolution in float64, zero outside the image, with S = sum over the taps of |tap * pixel|.
//
// A float product below the smallest normal float loses up to 2^-150 however small it is: S counts 2^-126 for each tap,
// which the bound's unit roundoff 2^-24 turns into just that.
#include <cfloat>
#include <cmath>

extern "C" void conv2d_reference(const double* in, const double* taps, double* out, int height, int width, int size,
                                 double* out_magnitude) {
  const int radius = size / 2;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double sum = 0.0;
      double magnitude = size * size * static_cast<double>(FLT_MIN);
      for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j) {
          const int row = y + i - radius;
          const int col = x + j - radius;
          if (row < 0 || row >= height || col < 0 || col >= width) continue;
          const double term = taps[i * size + j] * in[row * width + col];
          sum += term;
          magnitude += std::fabs(term);
        }
      }
      out[y * width + x] = sum;
      out_magnitude[y * width + x] = magnitude;
    }
  }
}
