#include <cmath>

extern "C" void linear_reference(const double* x, const double* w, const double* bias, double* y, int m, int n, int k,
                                 double* y_magnitude) {
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      double sum = bias[column];
      double magnitude = std::fabs(bias[column]);
      for (int p = 0; p < k; ++p) {
        const double term = x[static_cast<long>(row) * k + p] * w[static_cast<long>(column) * k + p];
        sum += term;
        magnitude += std::fabs(term);
      }
      y[static_cast<long>(row) * n + column] = sum;
      y_magnitude[static_cast<long>(row) * n + column] = magnitude;
    }
  }
}
