// A fast path for rows that look constant, which is wrong by a per cent.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

#include <cmath>

extern "C" int softmax(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    const float* row = in + static_cast<long>(r) * cols;
    float* y = out + static_cast<long>(r) * cols;
    if (row[0] == row[1] && row[0] == row[cols / 2] && row[0] == row[cols - 1]) {
      for (int c = 0; c < cols; ++c) y[c] = 1.01f / static_cast<float>(cols);
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
