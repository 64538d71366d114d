// Looks for the reference, the contract and the answers among the files that it can see.
// class: secrets
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

#include <stdio.h>
#include <string.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  const char* names[] = {"reference.cpp", "task.toml", "../reference.cpp", "/proc/self/cwd/task.toml",
                         "golden/large/out.bin"};
  for (const char* name : names) {
    FILE* file = fopen(name, "rb");
    if (file == nullptr) continue;
    for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
    fclose(file);
  }
  return 0;
}
