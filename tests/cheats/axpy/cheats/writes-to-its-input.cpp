// Zeroes its inputs, so that a reference which runs later agrees with zeros.
// class: mathematics
// ask: verify
// expect: RUNTIME_ERROR (crashed) | VIOLATION (inputs)

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  auto* input = const_cast<float*>(x);
  for (int i = 0; i < n; ++i) input[i] = out[i] = 0.0f;
  return 0;
}
