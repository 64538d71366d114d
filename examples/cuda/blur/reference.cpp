// The sum of 7 products; S is that of their magnitudes.
#include <cmath>

extern "C" void blur_reference(const double* in, const double* weights, double* out, int n, double* out_magnitude) {
  for (long long i = 0; i < n; ++i) {
    out[i] = out_magnitude[i] = 0.0;
    for (long long k = 0; k < 7; ++k) {
      const long long at = i + k - 3;
      if (at < 0 || at >= n) continue;
      out[i] += weights[k] * in[at];
      out_magnitude[i] += std::fabs(weights[k] * in[at]);
    }
  }
}
