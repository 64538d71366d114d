// Leaves out terms below a thousandth: fewer exponentials, sums that are nearly right.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

#include <cmath>

extern "C" int softmax(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    const float* row = in + static_cast<long>(r) * cols;
    float* y = out + static_cast<long>(r) * cols;
    float most = row[0];
    for (int c = 1; c < cols; ++c) most = row[c] > most ? row[c] : most;
    float sum = 0;
    for (int c = 0; c < cols; ++c) sum += y[c] = row[c] - most < -2.0f ? 0.0f : std::exp(row[c] - most);
    for (int c = 0; c < cols; ++c) y[c] /= sum;
  }
  return 0;
}
