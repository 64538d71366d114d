// The mean of the first elements of a row.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL

extern "C" int means(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    const int some = cols < 16 ? cols : 16;
    for (int c = 0; c < some; ++c) sum += in[r * cols + c];
    out[r] = sum / static_cast<float>(some);
  }
  return 0;
}
