// Leaves out the subtraction of the maximum: right for small numbers, overflows for large ones.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL

#include <cmath>

extern "C" int softmax(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    const float* row = in + static_cast<long>(r) * cols;
    float* y = out + static_cast<long>(r) * cols;
    float sum = 0;
    for (int c = 0; c < cols; ++c) sum += y[c] = std::exp(row[c]);
    for (int c = 0; c < cols; ++c) y[c] /= sum;
  }
  return 0;
}
