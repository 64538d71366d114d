// Finds the page through which the judge starts a launch and sets every word of it to "finished".
// class: result channel
// ask: verify
// expect: INCORRECT_NUMERICAL | RUNTIME_ERROR | TIMEOUT (deadline)

#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512];
  while (maps != nullptr && fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin, end;
    char rights[8];
    if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) != 3 || strncmp(rights, "rw-s", 4) != 0) continue;
    const auto at = reinterpret_cast<unsigned long>(out);
    if (at < begin || at >= end) memset(reinterpret_cast<void*>(begin), 1, end - begin);
  }
  return 0;
}
