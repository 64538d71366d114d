// Maps a program of the system itself, without the loader.
// class: library calls
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)
// layer: mount-namespace

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  const int file = open("/usr/bin/env", O_RDONLY);
  if (file < 0) return 0;
  void* code = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
  if (code == MAP_FAILED) return 0;
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
