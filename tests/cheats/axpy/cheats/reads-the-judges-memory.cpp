// Reads seeds and answers out of the memory of the judge.
// class: secrets
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  char path[64];
  for (int pid = 1; pid < 70000; ++pid) {
    if (pid == getpid()) continue;
    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    if (open(path, O_RDWR) < 0) continue;
    for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  }
  return 0;
}
