// RMS norm of each row in float64. All terms of the mean are positive and the root halves their relative error, so the
// result is well conditioned: S = |out|. A float product below the smallest normal float loses up to 2^-150 however
// small it is (then multiplied by the weight): FLT_MIN * (1 + |weight|) in S, which the unit roundoff 2^-24 turns into
// that.
#include <cfloat>
#include <cmath>

extern "C" void rmsnorm_reference(const double* in, const double* weight, double* out, double epsilon, int rows,
                                  int cols, double* out_magnitude) {
  for (int r = 0; r < rows; ++r) {
    const double* x = in + static_cast<long>(r) * cols;
    double* y = out + static_cast<long>(r) * cols;
    double* magnitude = out_magnitude + static_cast<long>(r) * cols;
    double sum = 0.0;
    for (int c = 0; c < cols; ++c) sum += x[c] * x[c];
    const double rms = std::sqrt(sum / cols + epsilon);
    for (int c = 0; c < cols; ++c) {
      y[c] = x[c] / rms * weight[c];
      magnitude[c] = std::fabs(y[c]) + static_cast<double>(FLT_MIN) * (1.0 + std::fabs(weight[c]));
    }
  }
}
