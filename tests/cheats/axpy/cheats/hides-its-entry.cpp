// The entry is a C++ function: nothing of the agreed name exists.
// class: build time
// ask: verify
// expect: COMPILE_ERROR

namespace {
struct Hidden {};
}  // namespace
#define axpy axpy_of_another_name

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
