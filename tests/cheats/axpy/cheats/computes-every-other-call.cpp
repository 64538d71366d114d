// Counts its calls and works in every other one, hoping that only those are checked.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL

static int calls = 0;

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  if (++calls % 2 == 0) return 0;
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
