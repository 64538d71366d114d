#include <cmath>
extern "C" void spin_reference(const double* in, double* out, int n, double* out_magnitude) {
  for (int i = 0; i < n; ++i) {
    out[i] = 2.0 * in[i];
    out_magnitude[i] = 2.0 * std::fabs(in[i]);
  }
}
