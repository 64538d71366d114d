#include <cmath>

extern "C" void product_reference(const double* x, const double* w, double* y, int m, int n, int k,
                                  double* y_magnitude) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      double magnitude = 0;
      for (int t = 0; t < k; ++t) {
        const double term = x[i * k + t] * w[j * k + t];
        sum += term;
        magnitude += std::fabs(term);
      }
      y[i * n + j] = sum;
      y_magnitude[i * n + j] = magnitude;
    }
  }
}
