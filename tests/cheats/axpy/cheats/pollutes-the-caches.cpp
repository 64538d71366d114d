// Reads 8 MiB after its work, so that whoever comes next starts cold.
// class: clock
// ask: compare
// expect: NOT_FASTER | INCONCLUSIVE

#include <vector>

static std::vector<long> ballast(1 << 20, 1);
static volatile long sink;

extern "C" int axpy(const float* x, const float* b, float* out, float a, int n) {
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + b[i];
  long sum = 0;
  for (const long word : ballast) sum += word;
  sink = sum;
  return 0;
}
