// The input as it is.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

extern "C" int softmax(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    const float* row = in + static_cast<long>(r) * cols;
    float* y = out + static_cast<long>(r) * cols;
    for (int c = 0; c < cols; ++c) y[c] = row[c];
  }
  return 0;
}
