// Overflows its stack.
// class: result channel
// ask: verify
// expect: RUNTIME_ERROR (crashed)

static int deeper(volatile int* at) {
  volatile int here[1024];
  here[0] = *at;
  return deeper(here) + here[0];
}

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  volatile int start = n;
  return deeper(&start);
}
