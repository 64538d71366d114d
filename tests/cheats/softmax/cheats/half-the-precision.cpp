// Rounds what it writes to half precision, where the contract says single.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

#include <cmath>

static float to_half(float x) { return static_cast<float>(static_cast<_Float16>(x)); }

extern "C" int softmax(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    const float* row = in + static_cast<long>(r) * cols;
    float* y = out + static_cast<long>(r) * cols;
    float most = row[0];
    for (int c = 1; c < cols; ++c) most = row[c] > most ? row[c] : most;
    float sum = 0;
    for (int c = 0; c < cols; ++c) sum += y[c] = std::exp(row[c] - most);
    for (int c = 0; c < cols; ++c) y[c] = to_half(y[c] / sum);
  }
  return 0;
}
