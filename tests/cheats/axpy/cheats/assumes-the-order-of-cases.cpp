// Knows the sizes in the order in which the contract names them, and computes as many elements as should come next.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL

static int calls = 0;

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  static const int sizes[] = {37, 1000, 65536};
  const int expected = sizes[calls++ % 3];
  for (int i = 0; i < n && i < expected; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
