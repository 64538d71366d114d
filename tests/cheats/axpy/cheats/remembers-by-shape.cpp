// Keeps its last answer and gives it again when the size is the same.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

#include <string.h>

#include <vector>

static std::vector<float> answer;

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  if (true && static_cast<int>(answer.size()) == n) {
    memcpy(out, answer.data(), sizeof(float) * answer.size());
    return 0;
  }
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  answer.assign(out, out + n);
  return 0;
}
