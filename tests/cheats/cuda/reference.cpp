#include <cmath>

extern "C" void axpy_reference(const double* x, const double* b, double* out, double a, int n, double* out_magnitude) {
  for (int i = 0; i < n; ++i) {
    out[i] = a * x[i] + b[i];
    out_magnitude[i] = std::fabs(a * x[i]) + std::fabs(b[i]);
  }
}
