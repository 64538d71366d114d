// Keeps answers in a file, where a later process finds them, and knows nothing else.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL

#include <fcntl.h>
#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  const unsigned long bytes = sizeof(float) * static_cast<unsigned long>(n);
  const char* places[] = {"/tmp/answer", "/var/tmp/answer", "/dev/shm/answer", "answer"};
  for (const char* place : places) {
    const int file = open(place, O_RDWR | O_CREAT, 0600);
    if (file < 0) continue;
    if (pread(file, out, bytes, 0) == static_cast<long>(bytes)) return 0;
    for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
    (void)!pwrite(file, out, bytes, 0);
    close(file);
    return 0;
  }
  return 0;
}
