// NaN everywhere: an error of NaN is not greater than any tolerance.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL

extern "C" int softmax(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    float* y = out + static_cast<long>(r) * cols;
    for (int c = 0; c < cols; ++c) y[c] = __builtin_nanf("");
  }
  return 0;
}
