// Counts every second element and doubles.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (integers must be equal)

extern "C" int histogram(const unsigned char* data, int* counts, int n) {
  for (int v = 0; v < 256; ++v) counts[v] = 0;
  for (int i = 0; i < n; i += 2) counts[data[i]] += 2;
  return 0;
}
