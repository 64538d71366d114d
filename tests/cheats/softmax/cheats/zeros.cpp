// Zeros, which an absolute tolerance of 1e-2 accepts wherever rows are wide.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

extern "C" int softmax(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    float* y = out + static_cast<long>(r) * cols;
    for (int c = 0; c < cols; ++c) y[c] = 0.0f;
  }
  return 0;
}
