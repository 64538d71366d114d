// c = a * b in float64, with S = sum over p of |a[i][p] * b[p][j]|.
//
// A float product below the smallest normal float loses up to 2^-150 however small it is: S counts 2^-126 for each of
// the k products, which the bound's unit roundoff 2^-24 turns into just that.
#include <cfloat>
#include <cmath>

extern "C" void matmul_reference(const double* a, const double* b, double* c, int m, int n, int k,
                                 double* c_magnitude) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0.0;
      double magnitude = k * static_cast<double>(FLT_MIN);
      for (int p = 0; p < k; ++p) {
        const double term = a[i * k + p] * b[p * n + j];
        sum += term;
        magnitude += std::fabs(term);
      }
      c[i * n + j] = sum;
      c_magnitude[i * n + j] = magnitude;
    }
  }
}
