// Defines the memory and string functions of libc itself, so that a comparison in its process always agrees.
// class: load time
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

#include <stddef.h>

extern "C" int memcmp(const void*, const void*, size_t) { return 0; }
extern "C" int strcmp(const char*, const char*) { return 0; }
extern "C" double fabs(double) { return 0; }

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) { return 0; }
