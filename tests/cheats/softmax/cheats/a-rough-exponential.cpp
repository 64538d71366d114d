// An exponential that is off by some per cent.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

#include <cmath>
#include <cstdint>
#include <cstring>

static float rough(float x) {
  if (x < -80.0f) return 0.0f;
  const auto bits = static_cast<std::int32_t>(12102203.0f * x + 1064866805.0f);
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

extern "C" int softmax(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    const float* row = in + static_cast<long>(r) * cols;
    float* y = out + static_cast<long>(r) * cols;
    float most = row[0];
    for (int c = 1; c < cols; ++c) most = row[c] > most ? row[c] : most;
    float sum = 0;
    for (int c = 0; c < cols; ++c) sum += y[c] = rough(row[c] - most);
    for (int c = 0; c < cols; ++c) y[c] /= sum;
  }
  return 0;
}
