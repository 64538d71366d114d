// Counts in bytes, which is enough for small inputs.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (integers must be equal)

extern "C" int histogram(const unsigned char* data, int* counts, int n) {
  unsigned char small[256] = {};
  for (int i = 0; i < n; ++i) ++small[data[i]];
  for (int v = 0; v < 256; ++v) counts[v] = small[v];
  return 0;
}
