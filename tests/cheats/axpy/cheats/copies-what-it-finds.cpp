// Searches its address space for another buffer of the size of the output and copies that.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written) | INCORRECT_NUMERICAL

#include <stdio.h>
#include <string.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512];
  const unsigned long bytes = sizeof(float) * static_cast<unsigned long>(n);
  while (maps != nullptr && fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin, end;
    char rights[8];
    if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) != 3 || rights[0] != 'r' || rights[3] != 's') continue;
    const auto mine = reinterpret_cast<unsigned long>(out);
    const auto theirs = reinterpret_cast<unsigned long>(x);
    const bool own = (mine >= begin && mine < end) || (theirs >= begin && theirs < end);
    if (!own && end - begin >= bytes) memcpy(out, reinterpret_cast<void*>(begin), bytes);
  }
  if (maps != nullptr) fclose(maps);
  return 0;
}
