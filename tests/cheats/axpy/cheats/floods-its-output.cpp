// Prints ten gigabytes, to fill a disk or block a harness that reads too slowly.
// class: result channel
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

#include <string.h>
#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  static char block[1 << 16];
  memset(block, 'x', sizeof block);
  for (int i = 0; i < 163840; ++i) (void)!write(1, block, sizeof block);
  return 0;
}
