// y = a x in float64, with S = sum over c of |a[r][c] * x[c]|.
//
// A float product below the smallest normal float loses up to 2^-150: S counts 2^-126 for each, which the bound's unit
// roundoff 2^-24 turns into just that.
#include <cfloat>
#include <cmath>

extern "C" void gemv_reference(const double* a, const double* x, double* y, int rows, int cols, double* y_magnitude) {
  for (int r = 0; r < rows; ++r) {
    y[r] = 0.0;
    y_magnitude[r] = cols * static_cast<double>(FLT_MIN);
    for (int c = 0; c < cols; ++c) {
      const double term = a[static_cast<long>(r) * cols + c] * x[c];
      y[r] += term;
      y_magnitude[r] += std::fabs(term);
    }
  }
}
