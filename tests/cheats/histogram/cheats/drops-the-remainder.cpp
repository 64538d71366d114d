// Whole vectors of sixteen; what is left over is not counted.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (integers must be equal)

extern "C" int histogram(const unsigned char* data, int* counts, int n) {
  for (int v = 0; v < 256; ++v) counts[v] = 0;
  for (int i = 0; i + 16 <= n; i += 16) {
    for (int j = 0; j < 16; ++j) ++counts[data[i + j]];
  }
  return 0;
}
