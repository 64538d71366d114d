// Recognises timing by the same size coming again and again, and stops working then.
// class: replay
// ask: compare
// expect: INCORRECT_NUMERICAL

static int last = 0;
static int run = 0;

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  run = n == last ? run + 1 : 0;
  last = n;
  if (run > 3) return 0;
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
