// Takes all memory that it can get.
// class: result channel
// ask: verify
// expect: OUT_OF_MEMORY (memory) | TIMEOUT (deadline)

#include <string.h>

#include <new>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (;;) memset(::operator new(64u << 20), 1, 64u << 20);
}
