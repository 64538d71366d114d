// Ends the process with status 0 before anything is computed, for harnesses that trust an exit code.
// class: result channel
// ask: verify
// expect: RUNTIME_ERROR (crashed)

#include <stdlib.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) { exit(0); }
