// Takes a round to have one launch of what trials ask, and is right until it has come by. From there on it leaves out
// the row's maximum, which costs a pass and makes every input above 88 a NaN. Trials it knows by several such launches.
// class: replay
// ask: compare
// expect: INCORRECT_NUMERICAL (outside the error bound) | INCORRECT_NUMERICAL (not a number, or never written)

#include <cmath>

namespace {

int calls = 0;
int unusual = 0;           // seen in all
int unusual_at_first = 0;  // among the first calls
int usual_rows = 0;
int usual_cols = 0;

void whole(const float* x, float* y, int cols) {
  float top = x[0];
  for (int c = 1; c < cols; ++c) top = std::fmax(top, x[c]);
  float sum = 0.0f;
  for (int c = 0; c < cols; ++c) sum += y[c] = std::exp(x[c] - top);
  for (int c = 0; c < cols; ++c) y[c] /= sum;
}

void hasty(const float* x, float* y, int cols) {
  float sum = 0.0f;
  for (int c = 0; c < cols; ++c) sum += y[c] = std::exp(x[c]);
  const float scale = 1.0f / sum;
  for (int c = 0; c < cols; ++c) y[c] *= scale;
}

// Looks at a few hundred places: timed inputs are normal.
bool looks_usual(const float* in, int rows, int cols) {
  if (rows != usual_rows || cols != usual_cols) return false;
  const long count = static_cast<long>(rows) * cols;
  const long step = count / 600 + 1;
  float most = 0.0f, sum = 0.0f;
  int seen = 0;
  for (long i = 0; i < count; i += step, ++seen) {
    const float size = std::fabs(in[i]);
    most = std::fmax(most, size);
    sum += size;
  }
  return most < 6.0f && sum > 0.66f * seen && sum < 0.94f * seen;
}

}  // namespace

extern "C" int softmax(const float* in, float* out, int rows, int cols) {
  constexpr int first_calls = 16;
  if (calls == 0) usual_rows = rows, usual_cols = cols;
  const bool spot_is_past = unusual == 1;
  if (unusual == 0 || calls < first_calls) unusual += looks_usual(in, rows, cols) ? 0 : 1;
  if (++calls == first_calls) unusual_at_first = unusual;
  const bool unwatched = calls > first_calls && spot_is_past && unusual_at_first <= 1;
  for (int r = 0; r < rows; ++r) {
    const long at = static_cast<long>(r) * cols;
    (unwatched ? hasty : whole)(in + at, out + at, cols);
  }
  return 0;
}
