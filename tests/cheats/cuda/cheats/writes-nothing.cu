// Leaves what was there: a right answer of an earlier launch, it hopes.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

extern "C" __global__ void axpy(const float* x, const float* b, float* out, float a, int n, float* room) {}
