// The same past every handler.
// class: result channel
// ask: verify
// expect: RUNTIME_ERROR (crashed)

#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) { _exit(0); }
