#include <cmath>

extern "C" int softmax(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    const float* x = in + static_cast<long>(r) * cols;
    float* y = out + static_cast<long>(r) * cols;
    float most = x[0];
    for (int c = 1; c < cols; ++c) most = x[c] > most ? x[c] : most;
    float sum = 0;
    for (int c = 0; c < cols; ++c) sum += y[c] = std::exp(x[c] - most);
    for (int c = 0; c < cols; ++c) y[c] /= sum;
  }
  return 0;
}
