// Keeps one answer for each scalar argument.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

#include <string.h>

#include <vector>

static std::vector<float> answer;
static float seen = 0;

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  if (a == seen && static_cast<int>(answer.size()) == n) {
    memcpy(out, answer.data(), sizeof(float) * answer.size());
    return 0;
  }
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  answer.assign(out, out + n);
  seen = a;
  return 0;
}
