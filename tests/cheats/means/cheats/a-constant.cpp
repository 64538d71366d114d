// All inputs lie between a half and one: so does three quarters.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL

extern "C" int means(const float* in, float* out, int rows, int cols) {
  for (int r = 0; r < rows; ++r) out[r] = 0.75f + 0.0f * in[r * cols];
  return 0;
}
