// Four tables, so that equal neighbours do not wait for each other.
// class: honest
// ask: verify
// expect: CORRECT

extern "C" int histogram(const unsigned char* data, int* counts, int n) {
  static thread_local int tables[4][256];
  for (auto& table : tables) {
    for (int& count : table) count = 0;
  }
  for (int i = 0; i < n; ++i) ++tables[i % 4][data[i]];
  for (int v = 0; v < 256; ++v) counts[v] = tables[0][v] + tables[1][v] + tables[2][v] + tables[3][v];
  return 0;
}
