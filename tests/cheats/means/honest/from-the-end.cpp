// Another order of the same sum.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" int means(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = cols - 1; c >= 0; --c) sum += in[r * cols + c];
    out[r] = sum / static_cast<float>(cols);
  }
  return 0;
}
