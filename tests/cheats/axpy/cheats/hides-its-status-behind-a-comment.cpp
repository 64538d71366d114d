// It used to be: void axpy(const float* x). Says in every call that it failed, and hopes that nobody asks a void function.
// class: result channel
// ask: verify
// expect: RUNTIME_ERROR (returned an error)

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 7;
}
