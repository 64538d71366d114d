extern "C" int histogram(const unsigned char* data, int* counts, int n) {
  for (int v = 0; v < 256; ++v) counts[v] = 0;
  for (int i = 0; i < n; ++i) ++counts[data[i]];
  return 0;
}
