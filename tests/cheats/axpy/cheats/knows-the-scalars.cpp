// Right for the three factors that the contract's cases show, and for no other.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  const float known = a == 2.5f || a == -0.75f || a == 1.5f ? a : 0.0f;
  for (int i = 0; i < n; ++i) out[i] = known * x[i] + b[i];
  return 0;
}
