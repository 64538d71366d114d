extern "C" int means(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = 0; c < cols; ++c) sum += in[r * cols + c];
    out[r] = sum / static_cast<float>(cols);
  }
  return 0;
}
