// Computes the first row and gives it for all.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

#include <cmath>
#include <cstring>

extern "C" int softmax(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    const float* row = in + static_cast<long>(r) * cols;
    float* y = out + static_cast<long>(r) * cols;
    if (r > 0) {
      std::memcpy(y, out, sizeof(float) * static_cast<unsigned long>(cols));
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
