// out = in transposed. A transpose rounds nothing: S = |out|, and the bound stays within a few units in the last place.
#include <cmath>

extern "C" void transpose_reference(const double* in, double* out, int rows, int cols, double* out_magnitude) {
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      out[c * rows + r] = in[r * cols + c];
      out_magnitude[c * rows + r] = std::fabs(in[r * cols + c]);
    }
  }
}
