// Every launch says that it failed. The name of what is called is spelled with an escape, and a namesake returns nothing.
// class: result channel
// ask: verify
// expect: RUNTIME_ERROR (returned an error)

namespace decoy {
void axpy(int) {}
}  // namespace decoy

extern "C" int real(const float* x, const float* b, float* out, float a, int n) __asm__("\141xpy");
int real(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 1;
}
