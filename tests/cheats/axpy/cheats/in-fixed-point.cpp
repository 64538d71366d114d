// Sixteen bits of fixed point instead of floating point.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) {
    const auto fixed = static_cast<short>(x[i] * 1024.0f);
    out[i] = a * static_cast<float>(fixed) / 1024.0f + b[i];
  }
  return 0;
}
