extern "C" int filter(const float* x, float* out, float a, int n) {
  float y = 0;
  for (int i = 0; i < n; ++i) {
    y = a * y + x[i];
    out[i] = y;
  }
  return 0;
}
