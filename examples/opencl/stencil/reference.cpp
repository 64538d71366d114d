// One Jacobi step in float64, with S = the sum of the magnitudes that are added.
//
// A float below the smallest normal float loses up to 2^-150: S counts 2^-126, which the bound's unit roundoff 2^-24
// turns into just that.
#include <cfloat>
#include <cmath>

extern "C" void stencil_reference(const double* in, double* out, int rows, int cols, double* out_magnitude) {
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      const long at = static_cast<long>(r) * cols + c;
      const bool border = r == 0 || c == 0 || r == rows - 1 || c == cols - 1;
      const double parts[] = {border ? in[at] : 0.25 * in[at - cols], border ? 0.0 : 0.25 * in[at + cols],
                              border ? 0.0 : 0.25 * in[at - 1], border ? 0.0 : 0.25 * in[at + 1]};
      out[at] = 0.0;
      out_magnitude[at] = static_cast<double>(FLT_MIN);
      for (const double part : parts) {
        out[at] += part;
        out_magnitude[at] += std::fabs(part);
      }
    }
  }
}
