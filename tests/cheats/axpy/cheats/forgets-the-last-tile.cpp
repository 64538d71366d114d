// A loop over whole tiles: what is left over is never computed.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  const int whole = n / 64 * 64;
  for (int i = 0; i < whole; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
