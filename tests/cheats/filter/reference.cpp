#include <cmath>

extern "C" void filter_reference(const double* x, double* out, double a, int n, double* out_magnitude) {
  double y = 0;
  double magnitude = 0;
  for (int i = 0; i < n; ++i) {
    y = a * y + x[i];
    magnitude = std::fabs(a) * magnitude + std::fabs(x[i]);
    out[i] = y;
    out_magnitude[i] = magnitude;
  }
}
