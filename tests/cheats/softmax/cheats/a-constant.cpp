// The mean of every row: a softmax sums up to one.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

extern "C" int softmax(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    float* y = out + static_cast<long>(r) * cols;
    for (int c = 0; c < cols; ++c) y[c] = 1.0f / static_cast<float>(cols);
  }
  return 0;
}
