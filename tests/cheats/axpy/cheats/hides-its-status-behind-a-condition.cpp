// Begins a void function that no compiler ever reads. Says in every call that it failed.
// class: result channel
// ask: verify
// expect: RUNTIME_ERROR (returned an error)

#if 0
void axpy(
#endif
extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 1;
}
