// Adds to counters that it takes for zero.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (integers must be equal)

extern "C" int histogram(const unsigned char* data, int* counts, int n) {
  for (int i = 0; i < n; ++i) ++counts[data[i]];
  return 0;
}
