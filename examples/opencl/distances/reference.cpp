// Squared distances in float64. A float difference is rounded once, relative to itself, and then squared: S = 4 d covers
// that twofold, and the additions.
//
// A float square below the smallest normal float loses up to 2^-150: S counts 2^-126 for each, which the bound's unit
// roundoff 2^-24 turns into just that.
#include <cfloat>

extern "C" void distances_reference(const double* x, const double* y, double* d, int m, int n, int k,
                                    double* d_magnitude) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0.0;
      for (int c = 0; c < k; ++c) {
        const double apart = x[static_cast<long>(i) * k + c] - y[static_cast<long>(j) * k + c];
        sum += apart * apart;
      }
      d[static_cast<long>(i) * n + j] = sum;
      d_magnitude[static_cast<long>(i) * n + j] = 4.0 * sum + k * static_cast<double>(FLT_MIN);
    }
  }
}
