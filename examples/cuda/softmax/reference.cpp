// Softmax of each row in float64. What an honest float kernel may lose, relative to the result y, and so S / y:
//   1              exp, sum and division, a few units each
//   |x - top|      x - top is rounded in float, and exp turns an absolute error of its argument into a relative one
//   the mean over the row's weights of |x - top|: the same in the denominator
// A float exp below the smallest normal float may be lost altogether: 2^-105 in S, which the smallest coefficient of
// the bound (20 * 2^-24) turns into 2.5 * FLT_MIN.
#include <cmath>

extern "C" void softmax_reference(const double* in, double* out, int rows, int cols, double* out_magnitude) {
  for (int r = 0; r < rows; ++r) {
    const double* x = in + static_cast<long>(r) * cols;
    double* y = out + static_cast<long>(r) * cols;
    double* magnitude = out_magnitude + static_cast<long>(r) * cols;
    double top = x[0];
    for (int c = 1; c < cols; ++c) top = std::fmax(top, x[c]);
    double sum = 0.0;
    double spread = 0.0;
    for (int c = 0; c < cols; ++c) {
      y[c] = std::exp(x[c] - top);
      sum += y[c];
      spread += y[c] * (top - x[c]);
    }
    for (int c = 0; c < cols; ++c) {
      y[c] /= sum;
      magnitude[c] = y[c] * (1.0 + (top - x[c]) + spread / sum) + 0x1p-105;
    }
  }
}
