// The last row is that of the row before.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL

extern "C" int means(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    const int from = r == rows - 1 && rows > 1 ? r - 1 : r;
    float sum = 0;
    for (int c = 0; c < cols; ++c) sum += in[from * cols + c];
    out[r] = sum / static_cast<float>(cols);
  }
  return 0;
}
