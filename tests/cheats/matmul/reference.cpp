#include <cmath>

extern "C" void matmul_reference(const double* a, const double* b, double* c, int m, int n, int k,
                                 double* c_magnitude) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0, magnitude = 0;
      for (int t = 0; t < k; ++t) {
        sum += a[i * k + t] * b[t * n + j];
        magnitude += std::fabs(a[i * k + t] * b[t * n + j]);
      }
      c[i * n + j] = sum;
      c_magnitude[i * n + j] = magnitude;
    }
  }
}
