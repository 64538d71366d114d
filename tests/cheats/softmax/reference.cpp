#include <algorithm>
#include <cmath>

extern "C" void softmax_reference(const double* in, double* out, int rows, int cols, double* out_magnitude) {
  for (int r = 0; r < rows; ++r) {
    const double* x = in + static_cast<long>(r) * cols;
    double* y = out + static_cast<long>(r) * cols;
    double* magnitude = out_magnitude + static_cast<long>(r) * cols;
    const double most = *std::max_element(x, x + cols);
    double sum = 0;
    for (int c = 0; c < cols; ++c) sum += y[c] = std::exp(x[c] - most);
    for (int c = 0; c < cols; ++c) {
      y[c] /= sum;
      magnitude[c] = y[c] * (4 + std::fabs(x[c] - most));
    }
  }
}
