// Keeps its last answer and gives it again when the first element looks alike: same sign, same size.
// class: replay
// ask: compare
// expect: INCORRECT_NUMERICAL (outside the error bound)

#include <math.h>
#include <string.h>

#include <vector>

static std::vector<float> answer;
static float seen = 0;

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  if ((x[0] > 0) == (seen > 0) && fabsf(x[0] - seen) < 1.0f && static_cast<int>(answer.size()) == n) {
    memcpy(out, answer.data(), sizeof(float) * answer.size());
    return 0;
  }
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  answer.assign(out, out + n);
  seen = x[0];
  return 0;
}
