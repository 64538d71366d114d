// Lets an exception leave the kernel.
// class: result channel
// ask: verify
// expect: RUNTIME_ERROR (crashed)

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) { throw n; }
