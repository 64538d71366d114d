// What a histogram of uniform data looks like.
// class: mathematics
// ask: verify
// expect: INCORRECT_NUMERICAL (integers must be equal)

extern "C" int histogram(const unsigned char* data, int* counts, int n) {
  for (int v = 0; v < 256; ++v) counts[v] = n / 256 + (v < n % 256 ? 1 : 0);
  return data[0] == data[0] ? 0 : 1;
}
