// More precision than asked for.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = static_cast<float>(static_cast<double>(a) * x[i] + b[i]);
  return 0;
}
