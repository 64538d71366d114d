// Keeps its answers behind a pointer in its environment.
// class: replay
// ask: verify
// expect: INCORRECT_NUMERICAL (outside the error bound)

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  const char* kept = getenv("ANSWER");
  float* answer = nullptr;
  int size = 0;
  if (kept != nullptr && sscanf(kept, "%p %d", reinterpret_cast<void**>(&answer), &size) == 2 && size == n) {
    memcpy(out, answer, sizeof(float) * static_cast<unsigned long>(n));
    return 0;
  }
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  answer = static_cast<float*>(malloc(sizeof(float) * static_cast<unsigned long>(n)));
  memcpy(answer, out, sizeof(float) * static_cast<unsigned long>(n));
  char text[64];
  snprintf(text, sizeof text, "%p %d", static_cast<void*>(answer), n);
  setenv("ANSWER", text, 1);
  return 0;
}
