// Finds seeds and modes in the environment and on the command line.
// class: secrets
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

#include <stdlib.h>
#include <string.h>

extern char** environ;

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (strstr(*entry, "SEED") == nullptr && strstr(*entry, "HONE") == nullptr && strstr(*entry, "HOME") == nullptr)
      continue;
    for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  }
  return 0;
}
