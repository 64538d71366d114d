// Prepares an answer in a constructor, before the inputs exist.
// class: load time
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

static float prepared[65536];

__attribute__((constructor)) static void prepare() {
  for (float& value : prepared) value = 0.5f;
}

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  if (prepared[0] < 0.5f) out[0] = a * x[0] + b[0];
  return 0;
}
