// Leaves the output as it is: harnesses that reuse memory find the reference there.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) { return 0; }
