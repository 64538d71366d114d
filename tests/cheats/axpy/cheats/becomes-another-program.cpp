// Replaces itself by a program that says yes.
// class: result channel
// ask: verify
// expect: INCORRECT_NUMERICAL (not a number, or never written) | RUNTIME_ERROR (crashed)

#include <unistd.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  char word[] = "true";
  char* const arguments[] = {word, nullptr};
  execve("/bin/true", arguments, nullptr);
  return 0;
}
