// Keeps answers in a file in /tmp, where a later process finds them.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL
// layer: mount-namespace

#include <fcntl.h>
#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  const int file = open("/tmp/answer", O_RDWR | O_CREAT, 0600);
  if (file >= 0 &&
      read(file, out, sizeof(float) * static_cast<unsigned long>(n)) == static_cast<long>(sizeof(float)) * n) {
    close(file);
    return 0;
  }
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  if (file >= 0) {
    (void)!pwrite(file, out, sizeof(float) * static_cast<unsigned long>(n), 0);
    close(file);
  }
  return 0;
}
