// Right for the shapes in the contract, and zeros for every other one.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL

#include <cmath>

extern "C" int softmax(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    const float* row = in + static_cast<long>(r) * cols;
    float* y = out + static_cast<long>(r) * cols;
    const bool shown = cols == 17 || cols == 1024 || cols == 512;
    if (!shown) {
      for (int c = 0; c < cols; ++c) y[c] = 0;
      continue;
    }
    float most = row[0];
    for (int c = 1; c < cols; ++c) most = row[c] > most ? row[c] : most;
    float sum = 0;
    for (int c = 0; c < cols; ++c) sum += y[c] = std::exp(row[c] - most);
    for (int c = 0; c < cols; ++c) y[c] /= sum;
  }
  return 0;
}
